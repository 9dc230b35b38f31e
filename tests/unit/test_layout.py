"""The source tree stays small enough to read: lines of a module, modules of a folder, lines of a function."""

import ast
import re
from pathlib import Path

import pytest

from larder.cli import COMMANDS

SRC = Path(__file__).resolve().parents[2] / "src" / "larder"
UNIT = Path(__file__).parent
ROOT = UNIT.parents[1]
MODULES = [path for path in SRC.rglob("*.py") if "versions" not in path.parts]
MAX_LINES, MAX_MODULES, MAX_P90 = 300, 22, 15


def test_no_module_is_too_long() -> None:
    long = {str(path.relative_to(SRC)): len(path.read_text().splitlines()) for path in MODULES}
    assert {name: lines for name, lines in long.items() if lines > MAX_LINES} == {}


def test_no_folder_has_too_many_modules() -> None:
    counts = {str(folder): len(list(folder.glob("[!_]*.py"))) for folder in {path.parent for path in MODULES}}
    assert {folder: many for folder, many in counts.items() if many > MAX_MODULES} == {}


def test_every_package_says_what_it_holds() -> None:
    packages = [path for path in MODULES if path.name == "__init__.py"]
    assert [str(path) for path in packages if not ast.get_docstring(ast.parse(path.read_text()))] == []


def test_nine_of_ten_functions_are_short() -> None:
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = (node for path in MODULES for node in ast.walk(ast.parse(path.read_text())))
    lengths = sorted(
        node.end_lineno - node.lineno + 1 for node in nodes if isinstance(node, functions) and node.end_lineno
    )
    assert lengths[len(lengths) * 9 // 10] <= MAX_P90


def test_no_room_above_the_store_counts_the_columns_of_its_rows() -> None:
    above = [path for path in MODULES if "store" not in path.relative_to(SRC).parts]
    assert [str(path) for path in above if "_fields.index(" in path.read_text()] == []


FACES = ("cli", "web", "api", "asgi", "mcp", "celery", "rendering", "settings")
WRITES_A_README = "actions/sources/scaffold.py"


def _texts(path: Path) -> list[str]:
    """The texts of a module that are no docstrings."""
    tree = ast.parse(path.read_text())
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    nodes = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docs)
    return [node.value for node in nodes if isinstance(node.value, str)]


def test_no_room_below_the_faces_knows_a_command_line() -> None:
    command = re.compile(rf"\blarder (?:{'|'.join(COMMANDS)})\b")
    below = [path for path in MODULES if path.relative_to(SRC).parts[0] not in FACES]
    said = {str(p.relative_to(SRC)): [t for t in _texts(p) if command.search(t)] for p in below}
    assert {name for name, texts in said.items() if texts} <= {WRITES_A_README}


def _rooms() -> list[str]:
    """The packages and modules of `larder`, and the packages within its three largest."""
    modules = [path.stem for path in SRC.glob("[!_]*.py")]
    patterns = ("*", "engine/*", "stages/*", "store/*")
    packages = [path.parent for each in patterns for path in SRC.glob(f"{each}/__init__.py")]
    return sorted([*modules, *(path.relative_to(SRC).as_posix() for path in packages)])


@pytest.mark.parametrize("room", _rooms())
def test_the_contributors_guide_says_what_a_room_holds(room: str) -> None:
    rows = re.findall(r"^\|(.+?)\|(.+)\|$", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE)
    name, _, inner = room.partition("/")
    texts = [packages + holds for packages, holds in rows if f"`{name}`" in packages + holds]
    assert [text for text in texts if not inner or f"`{inner}`" in text]


def test_unit_tests_stand_in_the_folder_of_what_they_test() -> None:
    folders = {path.parent.relative_to(UNIT) for path in UNIT.rglob("test_*.py")}
    assert sorted(str(folder) for folder in folders if not (SRC / folder).is_dir()) == []
