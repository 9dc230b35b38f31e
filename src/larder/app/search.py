"""Searches Elasticsearch if it is configured; if it does not respond, the database does."""

import logging

from aiohttp import ClientSession

from larder.engine.background.elastic import Elastic, ElasticError, parse_index_address, search_body
from larder.settings import Settings
from larder.stages.notify.http_post import session
from larder.store.reads.paging import Ranked
from larder.store.reads.query import Query, Sort, check
from larder.store.search import POOL

log = logging.getLogger("larder.app")


def elastic(settings: Settings, client: ClientSession) -> Elastic:
    """The service that the settings name."""
    return Elastic(parse_index_address(settings.elasticsearch.get_secret_value()), client)


async def ranked(settings: Settings, query: Query) -> Ranked | None:
    """Records by score; None if relevance is not requested or the service does not respond."""
    if query.order is not Sort.RELEVANCE:
        return None
    check(query)
    try:
        async with session() as client:
            hits = await elastic(settings, client).search(search_body(query, limit=POOL))
    except ElasticError as error:
        log.warning("the database searches instead of Elasticsearch (%s)", error)
        return None
    return [(hit.score, hit.id) for hit in hits]
