"""A server for agents, by the official Python SDK of the Model Context Protocol (an extra)."""
