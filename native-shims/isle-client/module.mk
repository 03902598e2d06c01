# The launcher's client of the control socket.
PROGRAMS += isle-client
isle-client_SOURCES := $(wildcard isle-client/*.c)
