"""A copy of public records in Elasticsearch, for searching.

The copy follows the change feed and may be behind or missing. A search returns record ids only; each record
is read again through the public reads, and if the service does not answer, the database searches.
"""

from larder.engine.background.elastic.client import Busy, Elastic, ElasticError, parse_index_address
from larder.engine.background.elastic.documents import search_body
from larder.engine.background.elastic.mirror import Mirror

__all__ = ["Busy", "Elastic", "ElasticError", "Mirror", "parse_index_address", "search_body"]
