"""Elasticsearch beside the database, for those who run one: a copy for searching, never the truth.

The copy is fed from the change feed and may be behind or gone. What it finds are numbers only: every record
is read again through the public gate, and where the service does not answer, the index in the database does.
"""

from larder.engine.background.elastic.client import Busy, Elastic, ElasticError, parse_address
from larder.engine.background.elastic.documents import search_body
from larder.engine.background.elastic.mirror import Mirror

__all__ = ["Busy", "Elastic", "ElasticError", "Mirror", "parse_address", "search_body"]
