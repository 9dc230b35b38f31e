"""The source that a draft describes, or the errors of its fields."""

from typing import Any

from pydantic import ValidationError

from larder.actions.sources.spec import SiteSpec, SourceSpec
from larder.core.model.site_profile import SiteProfile
from larder.core.model.source import Kind, Visibility
from larder.core.validation_messages import validation_message
from larder.extraction.draft import DraftFields, params_of
from larder.web.admin.sources.draft_profile import saved_params

_RULES = {
    "slug": "lower-case letters, digits and dashes, such as corner-shop",
    "currency": "three letters, such as EUR",
    "language": "two letters, such as nl",
    "place": "not a known place: write TOWN, COUNTRY (Utrecht, NL) or LATITUDE, LONGITUDE (52.09, 5.12)",
    "tz": "not a time zone: write one such as Europe/Amsterdam",
}
SAVED = ("url", "slug", "name", "plan", "tier", "language", "place", "tz")
"""Fields of the form that the source has under the same name, as they are written."""


def source_spec(
    values: DraftFields, kind: Kind, profile: SiteProfile | None
) -> tuple[SourceSpec | None, dict[str, str]]:
    """The source, or its errors by field."""
    params = saved_params(params_of(values, kind), profile)
    if "index_url" in values:
        params["index_url"] = values["index_url"]
    given: dict[str, Any] = {name: values[name] for name in SAVED if name in values}
    given |= {"kind": kind, "visibility": Visibility.PUBLIC if values.get("public") else Visibility.HIDDEN}
    given |= {"currency": values["currency"].upper()} if "currency" in values else {}
    try:
        return SourceSpec.model_validate({**given, **({"params": params} if params else {})}), {}
    except ValidationError as error:
        return None, {_form_field(each): _error_text(each) for each in error.errors()}


def _form_field(mistake: Any) -> str:
    """The field of the form that a mistake is shown beside; coordinates come from the place."""
    name = str(mistake["loc"][0]) if mistake["loc"] else "place"
    return "place" if name in ("latitude", "longitude") else name


def _error_text(mistake: Any) -> str:
    return _RULES.get(_form_field(mistake)) or validation_message(mistake["msg"])


def site_spec(values: DraftFields, who: str) -> SiteSpec | None:
    """What the draft says of the site; None: nothing."""
    settings: dict[str, Any] = {"terms_reviewed_by": who} if values.get("terms") else {}
    settings |= {"local": True} if values.get("local") else {}
    return SiteSpec.model_validate(settings) if settings else None
