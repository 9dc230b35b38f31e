"""An MCP server that refuses arguments which a tool does not have; the SDK ignores them.

With a misspelled filter ignored, a tool would answer about all records. The SDK is an extra: import this only
if it is installed.
"""

from typing import Any

from mcp.server import MCPServer

from larder.mcp.tools import tool_error


class StrictServer(MCPServer):
    """Each tool takes the arguments of its schema and no others."""

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """Call a tool; an unknown argument is refused with the known ones."""
        schemas = {tool.name: tool.input_schema for tool in await self.list_tools()}
        if name in schemas:
            _check(name, arguments, list(schemas[name].get("properties", {})))
        return await super().call_tool(name, arguments, context)


def _check(tool: str, arguments: dict[str, Any], known: list[str]) -> None:
    unknown = ", ".join(each[:40] for each in arguments if each not in known)
    if unknown:
        listed = f"known: {', '.join(known)}" if known else "it takes none"
        raise tool_error(f"{tool} has no argument {unknown[:200]}; {listed}")
