"""Files that a form sends."""

from starlette.datastructures import FormData, UploadFile

from larder.core.errors import BadInput
from larder.web.context import form_text

MAX_FILE_BYTES = 5_000_000


async def read_upload(form: FormData, *, text: str) -> bytes:
    """The content of the field `file`, else of the field `text`; `BadInput` for a file that is too large."""
    sent = form.get("file")
    if isinstance(sent, UploadFile):
        body = await sent.read(MAX_FILE_BYTES + 1)
    else:
        body = form_text(form, text).encode()
    await form.close()
    if len(body) > MAX_FILE_BYTES:
        raise BadInput("the file is larger than 5 MB", hint="split it into smaller files")
    return body
