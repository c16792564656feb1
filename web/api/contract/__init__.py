"""The contract of the API: schemas of requests and responses, examples, and the OpenAPI document."""
