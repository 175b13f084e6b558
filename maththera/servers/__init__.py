"""The six MCP servers. Each is a program of its own: `python -m maththera.servers.concepts` speaks MCP over stdio."""
