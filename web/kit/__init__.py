"""Shared parts of the pages and the API: translations, documented endpoints, and the page for a wrong host name."""
