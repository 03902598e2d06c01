kernels_FLAGS := -O3
