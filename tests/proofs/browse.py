"""A process with a browser and a page open; it says the browser's processes, and waits to be killed."""

import asyncio
import sys
from pathlib import Path

from larder.stages.fetch.browser.process import BrowserProcess, processes_of


async def browse(executable: Path) -> None:
    process = BrowserProcess(executable)
    async with process.context() as context:
        await context.new_page()
        pids = [pid for group in process.groups() for pid in processes_of(group)]
        sys.stdout.write(" ".join(map(str, pids)) + "\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(browse(Path(sys.argv[1])))
