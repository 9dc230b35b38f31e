"""Small sites built as common platforms build theirs, in several languages: a request comes in, a page goes out.

Nothing in Larder knows them. A source added by its address alone must find what their truth holds.
"""

from tests.platform_sites.agencies import AGENCIES
from tests.platform_sites.agendas import AGENDAS
from tests.platform_sites.boards import BOARDS
from tests.platform_sites.calendars import CALENDARS
from tests.platform_sites.catalogue_shops import CATALOGUE_SHOPS
from tests.platform_sites.classifieds import CLASSIFIEDS
from tests.platform_sites.councils import COUNCILS
from tests.platform_sites.evenings import EVENINGS
from tests.platform_sites.flats import FLATS
from tests.platform_sites.marketplaces import MARKETPLACES
from tests.platform_sites.misleading import MISLEADING
from tests.platform_sites.plain_shops import PLAIN_SHOPS
from tests.platform_sites.priced_shops import PRICED_SHOPS
from tests.platform_sites.programmes import PROGRAMMES
from tests.platform_sites.regional_shops import REGIONAL_SHOPS
from tests.platform_sites.scripted_shops import SCRIPTED_SHOPS
from tests.platform_sites.shape import Shape, Thing
from tests.platform_sites.shops import SHOPS
from tests.platform_sites.stages import STAGES
from tests.platform_sites.theme_sites import THEME_SITES
from tests.platform_sites.unlinked_pages import UNLINKED_PAGES
from tests.platform_sites.unlinked_sites import UNLINKED_SITES
from tests.platform_sites.walks import WALKS

ALL_SHAPES = (
    *SHOPS,
    *PLAIN_SHOPS,
    *CATALOGUE_SHOPS,
    *REGIONAL_SHOPS,
    *SCRIPTED_SHOPS,
    *PRICED_SHOPS,
    *THEME_SITES,
    *UNLINKED_SITES,
    *UNLINKED_PAGES,
    *CLASSIFIEDS,
    *MARKETPLACES,
    *BOARDS,
    *AGENDAS,
    *PROGRAMMES,
    *CALENDARS,
    *STAGES,
    *COUNCILS,
    *FLATS,
    *AGENCIES,
    *WALKS,
    *EVENINGS,
)
SHAPES: dict[str, Shape] = {shape.name: shape for shape in ALL_SHAPES}

__all__ = ["ALL_SHAPES", "MISLEADING", "SHAPES", "Shape", "Thing"]
