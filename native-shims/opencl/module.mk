LIBRARIES += libisleopencl
libisleopencl_SOURCES := $(wildcard opencl/*.c kit/*.c)

PROGRAMS += bench-opencl-direct bench-opencl-host
bench-opencl-direct_SOURCES := bench/opencl_direct.c opencl/load.c
bench-opencl-host_SOURCES := $(wildcard bench/host*.c) opencl/load.c
