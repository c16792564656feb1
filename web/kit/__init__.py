"""Shared parts of the sites of tables and hubs: site setup, translations, documented endpoints, OpenAPI writer."""
