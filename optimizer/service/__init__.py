"""The gRPC service over the optimizer: server, clients and everything between wire and library."""
