"""Claude Desktop, which is set up but whose chats are read from exports (`remem_agents.chats`)."""
