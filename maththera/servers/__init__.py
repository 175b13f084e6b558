"""The six MCP servers. Each is a program: `python -m maththera.servers.logic_engine` speaks MCP over stdio."""
