# The arithmetic of softaccel's programs; whatever is made of softaccel's sources needs these, too.
KERNEL_SOURCES := $(wildcard kernels/*.c)
kernels_FLAGS := -O3
libsoftaccel_SOURCES += $(KERNEL_SOURCES)
