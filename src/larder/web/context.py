"""The context of a page request: caller, theme, forms, flash messages and rendering.

Pages read with `look`, change with `do` (one transaction, audited under the caller's name) and answer with
`page` or `redirect`. A form needs the CSRF token of its session.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, ParamSpec, TypeVar
from urllib.parse import quote, unquote, urlencode

import orjson
from fastapi import Depends, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from markupsafe import Markup
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException

from larder.auth import CSRF_FIELD, Authenticator, RequestContext, check_csrf, csrf_token, require_admin
from larder.core.errors import BadInput, NotFound
from larder.core.model.hint import NO_HINT, Hint, as_hint
from larder.core.quoting import quoted
from larder.request_validation import ID_DIGITS, MAX_ID, check_url, storage_problem
from larder.web.hint_links import PAGES
from larder.web.render import environment

P = ParamSpec("P")
T = TypeVar("T")
W = TypeVar("W", bound=StrEnum)

THEMES = ("light", "dark")
FLASH_COOKIE = "larder_said"
THEME_COOKIE = "larder_theme"
MAX_LINK_PARAMETERS, MAX_PARAMETER_LENGTH = 16, 250
"""Query parameters that links of a page keep, and their maximum length: a page has hundreds of links."""
CURSORS = frozenset({"before", "after"})
"""Query parameters that hold the start of a page of a list."""


@dataclass(frozen=True, slots=True)
class FlashMessage:
    """A message that the next page shows once."""

    text: str
    tone: str = "good"
    hint: Hint = NO_HINT


@dataclass(slots=True, kw_only=True)
class PageContext(RequestContext):
    """The context of one page request."""

    request: Request
    auth: Authenticator

    @property
    def who(self) -> str:
        """The name of the caller."""
        return self.caller.name

    @property
    def theme(self) -> str:
        """The chosen theme; empty: that of the system."""
        chosen = self.request.cookies.get(THEME_COOKIE, "")
        return chosen if chosen in THEMES else ""

    @property
    def path(self) -> str:
        """The path of this page; for a form, that of the page it was sent from."""
        if self.request.method == "POST":
            return _referring_page(self.request)
        url = self.request.url
        return url.path + (f"?{url.query}" if url.query else "")

    def url_with(self, **other: object) -> str:
        """The query string of this page with other parameters, from its first page; without empty ones."""
        params = list(self.request.query_params.items())[:MAX_LINK_PARAMETERS]
        others = {
            name: value
            for name, value in params
            if name not in CURSORS and len(name + value) <= MAX_PARAMETER_LENGTH
        }
        return f"?{urlencode({name: value for name, value in {**others, **other}.items() if value})}"

    @property
    def csrf_field(self) -> Markup:
        """The hidden field with the CSRF token."""
        return Markup('<input type="hidden" name="{}" value="{}">').format(
            CSRF_FIELD, csrf_token(self.request)
        )

    @property
    def flash(self) -> FlashMessage | None:
        """The message of the previous page, if any."""
        text = self.request.cookies.get(FLASH_COOKIE)
        try:
            return _read_flash(text) if text else None
        except (orjson.JSONDecodeError, TypeError, ValueError):
            return None

    async def unchecked_form(self, *, files: int = 0, fields: int = 5) -> FormData:
        """The form, without a check of its CSRF token."""
        try:
            form = await self.request.form(max_files=files, max_fields=fields)
        except UnicodeError as error:
            raise HTTPException(400, "the form is not valid UTF-8") from error
        if found := storage_problem(form.multi_items()):
            raise HTTPException(400, f"the form {found}")
        return form

    async def form(self) -> FormData:
        """The form, after a check of its CSRF token."""
        sent = await self.unchecked_form(files=1, fields=500)
        given = sent.get(CSRF_FIELD)
        check_csrf(self.request, given if isinstance(given, str) else None)
        return sent

    def render(self, template: str, **context: Any) -> str:
        """A rendered template."""
        return environment().get_template(template).render(ctx=self, now=self.now, **context)

    def page(self, template: str, /, status: int = 200, **context: Any) -> HTMLResponse:
        """A whole page."""
        response = HTMLResponse(self.render(template, **context), status_code=status)
        if FLASH_COOKIE in self.request.cookies:
            response.delete_cookie(FLASH_COOKIE, path="/")
        return response

    def redirect(
        self, to: str, message: str = "", *, tone: str = "good", hint: Hint | str = ""
    ) -> RedirectResponse:
        """A redirect to one of our pages, with a flash message."""
        response = RedirectResponse(local_path(to), status_code=303)
        if message:
            advice = as_hint(hint)
            parts = [message[:500], tone, advice.text[:500], advice.action, advice.target]
            value = quote(orjson.dumps(parts).decode())
            response.set_cookie(FLASH_COOKIE, value, max_age=60, path="/", httponly=True, samesite="lax")
        return response


def _read_flash(cookie: str) -> FlashMessage:
    """The message in a cookie of ours: five texts; `ValueError` for any other cookie of that name."""
    parts = orjson.loads(unquote(cookie))
    if not isinstance(parts, list):
        raise ValueError("not a flash message")
    flashed, tone, text, action, target = parts
    if not all(isinstance(part, str) for part in (flashed, tone, text, action or "", target)):
        raise ValueError("not a flash message")
    known = action if action in PAGES else None
    return FlashMessage(flashed, tone, Hint(text=text, action=known, target=target))


def local_path(path: str) -> str:
    """A path of this server; anything else becomes the home page."""
    plain = path.startswith("/") and not path.startswith("//") and "\\" not in path and path.isprintable()
    return path if plain else "/"


def _referring_page(request: Request) -> str:
    """The page a form was sent from, if it is on this server."""
    referer = request.headers.get("referer", "")
    base = f"{request.url.scheme}://{request.url.netloc}"
    return local_path(referer.removeprefix(base)) if referer.startswith(f"{base}/") else "/admin"


def form_text(form: FormData, name: str, default: str = "") -> str:
    """The text of a form field."""
    value = form.get(name)
    return default if value is None or isinstance(value, UploadFile) else value.strip()


def parse_int(value: str | None, name: str, *, high: int = MAX_ID) -> int | None:
    """The whole number in a field; None if it is empty."""
    if not value:
        return None
    if not value.isdecimal() or len(value) > ID_DIGITS or not 1 <= int(value) <= high:
        hint = "use digits only" if high == MAX_ID else f"from 1 to {high}"
        raise BadInput(f"{name} must be a whole number, not {quoted(value, 40)}", hint=hint)
    return int(value)


def form_ids(form: FormData, name: str) -> list[int]:
    """The ids of the ticked boxes."""
    return [int(each) for each in map(str, form.getlist(name)) if each.isdecimal() and len(each) <= ID_DIGITS]


def parse_amount(value: str | None, name: str) -> float | None:
    """The number in a field; None if it is empty."""
    if not value:
        return None
    try:
        found = float(value.replace(",", ".").rstrip("% "))
    except ValueError:
        found = math.nan
    if not math.isfinite(found) or abs(found) > 1e12:
        raise BadInput(f"{name} must be a number, not {quoted(value, 40)}", hint="write 10 or 12.50")
    return found


def unknown_action(name: str, known: Iterable[str]) -> NotFound:
    """The error for an action that a page does not have."""
    return NotFound(f"unknown action {quoted(name)}", hint=f"known: {', '.join(known)}")


def parse_choice(value: str, words: type[W], name: str) -> W:
    """A member of an enumeration."""
    if value not in set(words):
        raise BadInput(f"unknown {name} {quoted(value, 40)}", hint=f"known: {', '.join(words)}")
    return words(value)


async def _public_context(request: Request) -> PageContext:
    auth: Authenticator = request.app.state.auth
    check_url(request)
    caller = await auth.authenticate(request)
    return PageContext(request=request, app=auth.app, auth=auth, caller=caller, now=auth.app.clock.now())


async def _admin_context(request: Request) -> PageContext:
    ctx = await _public_context(request)
    require_admin(ctx.caller)
    return ctx


PublicContext = Annotated[PageContext, Depends(_public_context)]
"""Anybody."""
AdminContext = Annotated[PageContext, Depends(_admin_context)]
"""An administrator; everyone else gets the sign-in page."""
