"""Statements that an administrator of a PostgreSQL server sends, outside of a transaction."""

import asyncpg


async def administer(url: str, *statements: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()
