infer_FLAGS := -O3
INFER_SOURCES := $(wildcard infer/*.c)
LIBRARIES += libisle_infer
libisle_infer_SOURCES := $(INFER_SOURCES)
