"""How pages are fetched and read, and the outside services that help."""

from pathlib import Path

from pydantic import Field, SecretStr

from larder.settings.part import SettingsPart


class FetchSettings(SettingsPart):
    """How pages are fetched and read, and the outside services that help."""

    contact: str = Field(
        default="https://larder.example/contact",
        description="A URL where site operators can reach you; sent with every request.",
    )
    agent: str = Field(default="Larder", description="The user agent name that robots.txt rules apply to.")
    user_agents: list[str] = Field(
        default=[], description="User agents to rotate, as a JSON list; empty: Larder's own."
    )
    adapters_dir: Path | None = Field(
        default=None,
        description="Folder with adapters of your own, one subfolder each; read when a process starts.",
    )
    browser: Path | None = Field(
        default=None,
        description="Path of the Chromium executable; without it, pages that need JavaScript stay empty.",
    )
    browser_pages: int = Field(default=4, ge=1, le=64, description="Maximum number of open browser pages.")
    browser_memory_mb: int = Field(
        default=2048,
        ge=256,
        description="Memory limit in MB: the browser is killed above it, and restarted above half of it.",
    )
    relay_url: str = Field(
        default="https://app.scrapingbee.com/api/v1/",
        description="URL of the relay, which must speak ScrapingBee's protocol.",
    )
    relay_key: SecretStr = Field(default=SecretStr(""), description="API key of the relay; empty: no relay.")
    relay_credits: float = Field(
        default=0,
        ge=0,
        description="Monthly credits of the relay; 0: until the relay reports that they are spent.",
    )
    apify_token: SecretStr = Field(
        default=SecretStr(""), description="Apify API token; without it, sources with an actor do not run."
    )
    apify_url: str = Field(default="https://api.apify.com", description="URL of the Apify API.")
    apify_budget_usd: float = Field(
        default=0, ge=0, description="Monthly budget for actors in USD; 0: no limit."
    )
    actors: dict[str, str] = Field(
        default={}, description='The actor of an adapter, as JSON: {"apartments": "user/name"}.'
    )
    actor_poll_seconds: float = Field(
        default=10, gt=0, description="Seconds between two checks of an actor's run."
    )
    search_url: str = Field(
        default="https://google.serper.dev/search",
        pattern=r"^https?://[^\s]+$",
        description="URL of the search provider of scouts, which must speak Serper's protocol. Its API key "
        "is the secret `serper`; without it nothing is searched.",
    )
    scout_regions: list[str] = Field(
        default=["NL"],
        description="What a scout searches on Sundays at 03:00, as a JSON list: countries (`NL`), parts of "
        "them (`NL-07`, `US-NY`) or Dutch provinces; empty: only by hand.",
    )
    scout_places: int = Field(
        default=20,
        ge=1,
        le=1_000,
        description="Places that one scout searches, the largest first; each costs five queries.",
    )
    llm_url: str = Field(
        default="",
        pattern=r"^(https?://[^\s]+)?$",
        description="Base URL of a language model with OpenAI's protocol (`https://api.openai.com/v1`, a "
        "local server), which reads what rules cannot; empty: rules alone. Its API key is the secret "
        "`llm`.",
    )
    llm_model: str = Field(default="gpt-4o-mini", description="Name of the language model.")
    llm_tokens: int = Field(
        default=2_000_000, ge=0, description="Monthly tokens of the language model; 0: no limit."
    )
    llm_usd: float = Field(
        default=5, ge=0, description="Monthly budget of the language model in USD; 0: no limit."
    )
    llm_usd_in: float = Field(
        default=0.15, ge=0, description="What a million tokens of questions cost, in USD."
    )
    llm_usd_out: float = Field(
        default=0.6, ge=0, description="What a million tokens of answers cost, in USD."
    )
    geocoder: str = Field(
        default="",
        description="URL of a Nominatim geocoder, used at night for events without coordinates; empty: none.",
    )
