LIBRARIES += libtestdisplay
libtestdisplay_SOURCES := $(wildcard testdisplay/*.c) $(filter-out softaccel/driver.c,$(wildcard softaccel/*.c)) $(KERNEL_SOURCES)
