"""robots.txt: a site's answer comes in; whether a URL may be fetched, and how often, goes out."""
