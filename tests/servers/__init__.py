"""Servers on the loopback interface that the tests share: real TLS, real sockets, and a log of what was asked."""
