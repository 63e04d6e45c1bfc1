"""Generated protocol buffers of Rheingold."""
