# The loader of images of handlers, and the HPUs that run them.
SPIN_LOADER := spin/image.c spin/place.c
SPIN_RUNTIME := $(wildcard spin/*.c)
LIBRARIES += libspin
libspin_SOURCES := $(wildcard spin/driver/*.c kit/*.c) $(SPIN_RUNTIME)
