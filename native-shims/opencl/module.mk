LIBRARIES += libisleopencl
libisleopencl_SOURCES := $(wildcard opencl/*.c kit/*.c)

PROGRAMS += bench-opencl-direct
bench-opencl-direct_SOURCES := bench/opencl_direct.c opencl/load.c
