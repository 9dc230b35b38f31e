"""Any site's products: no reading code, the cascade reads for it."""

from larder.sdk import Kind, SiteAdapter


class GenericProduct(SiteAdapter):
    """The generic adapter for products."""

    id, version, kind = "product", "1.0.0", Kind.PRODUCT
