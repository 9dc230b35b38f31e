"""How pages are fetched and read, and the outside services that help."""

from pathlib import Path

from larder.settings.kinds import mapping, number, path, secret, text, whole, words
from larder.settings.part import SettingsPart
from larder.settings.setting import SecretSetting


class FetchSettings(SettingsPart):
    """How pages are fetched and read, and the outside services that help."""

    contact: str = text(
        "https://larder.example/contact", "A URL where site operators can reach you; sent with every request."
    )
    agent: str = text("Larder", "The user agent name that robots.txt rules apply to.")
    user_agents: list[str] = words([], "User agents to rotate, as a JSON list; empty: Larder's own.")
    adapters_dir: Path | None = path(
        None, "Folder with adapters of your own, one subfolder each; read when a process starts."
    )
    browser: Path | None = path(
        None, "Path of the Chromium executable; without it, pages that need JavaScript stay empty."
    )
    browser_pages: int = whole(4, "Maximum number of open browser pages.", ge=1, le=64)
    browser_memory_mb: int = whole(
        2048, "Memory limit in MB: the browser is killed above it, and restarted above half of it.", ge=256
    )
    relay_url: str = text(
        "https://app.scrapingbee.com/api/v1/", "URL of the relay, which must speak ScrapingBee's protocol."
    )
    relay_key: SecretSetting = secret("API key of the relay; empty: no relay.")
    relay_credits: float = number(
        0, "Monthly credits of the relay; 0: until the relay reports that they are spent.", ge=0
    )
    apify_token: SecretSetting = secret("Apify API token; without it, sources with an actor do not run.")
    apify_url: str = text("https://api.apify.com", "URL of the Apify API.")
    apify_budget_usd: float = number(0, "Monthly budget for actors in USD; 0: no limit.", ge=0)
    actors: dict[str, str] = mapping('The actor of an adapter, as JSON: {"apartments": "user/name"}.')
    actor_poll_seconds: float = number(10, "Seconds between two checks of an actor's run.", gt=0)
    search_url: str = text(
        "https://google.serper.dev/search",
        "URL of the search provider of scouts, which must speak Serper's protocol. Its API key "
        "is the secret `serper`; without it nothing is searched.",
        pattern=r"^https?://[^\s]+$",
    )
    scout_regions: list[str] = words(
        ["NL"],
        "What a scout searches on Sundays at 03:00, as a JSON list: countries (`NL`), parts of "
        "them (`NL-07`, `US-NY`) or Dutch provinces; empty: only by hand.",
    )
    scout_places: int = whole(
        20, "Places that one scout searches, the largest first; each costs five queries.", ge=1, le=1_000
    )
    llm_url: str = text(
        "",
        "Base URL of a language model with OpenAI's protocol (`https://api.openai.com/v1`, a "
        "local server), which reads what rules cannot; empty: none. Its API key is the secret "
        "`llm`.",
        pattern=r"^(https?://[^\s]+)?$",
    )
    llm_model: str = text("gpt-4o-mini", "Name of the language model.")
    llm_tokens: int = whole(2_000_000, "Monthly tokens of the language model; 0: no limit.", ge=0)
    llm_usd: float = number(5, "Monthly budget of the language model in USD; 0: no limit.", ge=0)
    llm_usd_in: float = number(0.15, "What a million tokens of questions cost, in USD.", ge=0)
    llm_usd_out: float = number(0.6, "What a million tokens of answers cost, in USD.", ge=0)
    geocoder: str = text(
        "", "URL of a Nominatim geocoder, used at night for events without coordinates; empty: none."
    )
