"""The preview of a source that is not saved yet runs in a parse worker, which knows nothing of the web."""

import subprocess
import sys

from larder.app.parse_runner import PRELOAD

_IMPORTED = """
import sys
from importlib import import_module
for name in sys.argv[1:]:
    import_module(name)
print(*sorted({name for name in sys.modules if name.startswith(("larder.web", "fastapi", "jinja2"))}))
"""


def test_the_preview_is_loaded_before_a_worker_is_forked_and_imports_nothing_of_the_web() -> None:
    assert "larder.extraction.draft" in PRELOAD
    ran = subprocess.run(
        [sys.executable, "-c", _IMPORTED, *PRELOAD], capture_output=True, text=True, check=True
    )
    assert ran.stdout.split() == []
