"""One input, everything that reads: the target of the fuzzer and of the mutants.

python -m tests.proofs.reads_anything [libFuzzer's flags] CORPUS
"""

import sys
from datetime import UTC, datetime
from importlib import import_module

NOW = datetime(2026, 2, 1, 12, 0, tzinfo=UTC)
KINDS = (None, "product", "event", "listing")
ADAPTERS = (None, None, None, "amazon", "willhaben", "sgammo", "apartments")
SHORT = 200


def read_anything(data: bytes) -> None:
    """The first byte chooses how the rest is read."""
    from larder.core.errors import BadInput
    from larder.extraction import extract, try_page
    from larder.sdk.lenient_json import parse_lenient_json
    from larder.sdk.urls import canonical_url, registrable_domain
    from larder.stages.normalize.dates import parse_when
    from larder.stages.normalize.price import parse_price

    choice, page = (data[0] if data else 0), data[1:]
    text = page[:SHORT].decode("utf-8", "replace")
    kind, adapter = KINDS[choice % len(KINDS)], ADAPTERS[choice % len(ADAPTERS)]
    url = text if choice % 5 == 0 else "https://corner.example/products/kettle"
    if choice % 16 == 1:
        notes = try_page(page, url=url, kind=kind, now=NOW).notes
    else:
        notes = extract(page, url=url, kind=None if adapter else kind, adapter=adapter, now=NOW).notes
    hidden = [note for note in notes if "Error" in note]
    assert not hidden, hidden  # a strategy that raised was caught, and is a mistake all the same
    parse_price(text)
    parse_when(text, now=NOW)
    parse_lenient_json(text)
    registrable_domain(text)
    try:
        canonical_url(text)
    except BadInput:
        return  # that is how it says so


def main() -> None:
    """Hand over to the fuzzer; it does not come back."""
    atheris = import_module("atheris")
    with atheris.instrument_imports(include=["larder"]):
        import_module("larder.extraction")

    atheris.Setup(sys.argv, read_anything)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
