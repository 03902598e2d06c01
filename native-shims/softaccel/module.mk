# Also what is made to stand in for it: the software accelerator, with parts of its own instead.
SOFT_SOURCES := $(wildcard softaccel/*.c kernels/*.c kit/*.c)
LIBRARIES += libsoftaccel
libsoftaccel_SOURCES := $(SOFT_SOURCES)
