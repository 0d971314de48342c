"""The REST gateway: JSON over HTTP in front of the games' gRPC services.

Everything about the games comes from their descriptors: the routes from `google.api.http`, the JSON forms
from the messages, the OpenAPI document from both and their comments. No game is named here.
"""
