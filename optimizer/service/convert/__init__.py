"""Between protocol buffers and the library's own types."""
