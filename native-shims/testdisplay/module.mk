LIBRARIES += libtestdisplay
libtestdisplay_SOURCES := $(wildcard testdisplay/*.c) $(filter-out softaccel/driver.c,$(SOFT_SOURCES))
