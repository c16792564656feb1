"""What the API takes and answers: schemas, fields, examples, and the OpenAPI document."""
