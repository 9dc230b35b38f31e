"""The source tree stays small enough to read: lines of a module, modules of a folder, lines of a function."""

import ast
from pathlib import Path

SRC = Path(__file__).resolve().parents[2] / "src" / "larder"
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
