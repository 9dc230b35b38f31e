"""Fetches pages within rate limits and robots.txt: a request comes in, an outcome goes out, no exception."""

from larder.stages.fetch.client import Client
from larder.stages.fetch.exchange import Method
from larder.stages.fetch.gate import RequestGate
from larder.stages.fetch.http import HttpFetcher, larder_user_agent
from larder.stages.fetch.permit import Permit, Refusal, Slots
from larder.stages.fetch.request import Fetcher, FetchRequest
from larder.stages.fetch.robots.policy import Robots, robots_allows, robots_crawl_delay
from larder.stages.fetch.robots.response import MemoryRobotsCache, RobotsCache, RobotsEntry, RobotsState

__all__ = [
    "Client",
    "FetchRequest",
    "Fetcher",
    "HttpFetcher",
    "MemoryRobotsCache",
    "Method",
    "Permit",
    "Refusal",
    "RequestGate",
    "Robots",
    "RobotsCache",
    "RobotsEntry",
    "RobotsState",
    "Slots",
    "larder_user_agent",
    "robots_allows",
    "robots_crawl_delay",
]
