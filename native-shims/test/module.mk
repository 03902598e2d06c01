test_HARNESS := test/runner.c test/core.c test/commands.c test/hosts.c
test_FLAGS := -Itest -Itest/drivers -Idriver-host -Ispin/include
test_NAMES := kit negotiate heap ring bells completion reset hostile launch messages sha256 programs sources files kernels matmul convolve reduce sort compute buffers leave memory soft preempt resume progress units deadline power pages concurrency faults host hostwire hostend sandbox watch orphan crash crashreport display displayflip displaymodel displayhostile tango net tile infer

TEST_LIBRARIES += libtestdriver
libtestdriver_SOURCES := $(wildcard test/drivers/*.c)
# the accelerator with kernels of the shape that they have for AVX-512
TEST_LIBRARIES += libsoftwide
libsoftwide_SOURCES := $(filter-out kernels/select.c,$(SOFT_SOURCES)) test/kernels_wide.c test/wide/select.c
TEST_LIBRARIES += libdemo
libdemo_SOURCES := test/template/demo.c

TESTS += $(test_NAMES:%=%-test)
TESTS_ALONE += preempt-test progress-test units-test power-test
$(foreach t,$(test_NAMES),$(eval $(t)-test_SOURCES := test/$(t)_test.c $(test_HARNESS) $(RT_SOURCES)))
kit-test_SOURCES += kit/log.c kit/settings.c kit/envelope.c
sha256-test_SOURCES += $(wildcard kit/sha256*.c)
files-test_SOURCES += test/source_files.c
programs-test_SOURCES += test/soft_harness.c $(wildcard kit/sha256*.c)
kernels-test_SOURCES += test/kernels_wide.c $(wildcard kernels/*.c)
infer-test_SOURCES += $(wildcard infer/*.c)
matmul-test_SOURCES += test/soft_harness.c test/compute_harness.c
convolve-test_SOURCES += test/soft_harness.c test/compute_harness.c
reduce-test_SOURCES += test/soft_harness.c test/compute_harness.c
sort-test_SOURCES += test/soft_harness.c test/compute_harness.c
leave-test_SOURCES += test/soft_harness.c
buffers-test_SOURCES += test/soft_harness.c test/compute_harness.c
compute-test_SOURCES += test/soft_harness.c test/compute_harness.c
memory-test_SOURCES += test/soft_harness.c
concurrency-test_SOURCES += test/soft_harness.c
soft-test_SOURCES += test/soft_harness.c
faults-test_SOURCES += test/soft_harness.c
preempt-test_SOURCES += test/soft_harness.c
resume-test_SOURCES += test/soft_harness.c
units-test_SOURCES += test/soft_harness.c
progress-test_SOURCES += test/soft_harness.c
power-test_SOURCES += test/soft_harness.c
pages-test_SOURCES += test/soft_harness.c
sandbox-test_SOURCES += test/confined.c
watch-test_SOURCES += test/confined.c
orphan-test_SOURCES += test/confined.c
crashreport-test_SOURCES += test/confined.c
tile-test_SOURCES += $(addprefix driver-host/,sandbox.c seccomp.c landlock.c tools.c)
crash-test_SOURCES += driver-host/crash.c driver-host/crash_frames.c
display-test_SOURCES += test/display_harness.c
displayflip-test_SOURCES += test/display_harness.c
displaymodel-test_SOURCES += testdisplay/clock.c testdisplay/connectors.c testdisplay/edid.c testdisplay/monitors.c
# these stand in for driver-host and for a driver in tests of the core, so they are built with the programs and libraries
PROGRAMS += hostile-host
hostile-host_SOURCES := $(wildcard test/hostile/*.c)
# a node of a ring as another program would be
PROGRAMS += leap-peer
leap-peer_SOURCES := $(wildcard test/leap_peer/*.c)
LIBRARIES += libunopenable libstuck_init libstuck_fini libcompiler libpolled
libunopenable_SOURCES := test/unopenable/unopenable.c $(filter-out softaccel/driver.c,$(SOFT_SOURCES))
libstuck_init_SOURCES := test/stuck/init.c $(filter-out softaccel/driver.c,$(SOFT_SOURCES))
libstuck_fini_SOURCES := test/stuck/fini.c $(filter-out softaccel/driver.c,$(SOFT_SOURCES))
libpolled_SOURCES := test/polled/polled.c $(filter-out softaccel/driver.c,$(SOFT_SOURCES))
libcompiler_SOURCES := test/compiler/compiler.c $(filter-out softaccel/programs.c,$(SOFT_SOURCES))
# the OpenCL driver, against libraries that only look like one
TESTS += scan-test scan_files-test
scan-test_SOURCES := test/scan_test.c $(wildcard opencl/scan*.c) $(test_HARNESS) $(RT_SOURCES)
scan_files-test_SOURCES := test/scan_files_test.c $(wildcard opencl/scan*.c) $(test_HARNESS) $(RT_SOURCES)
OPENCL_TESTS := opencl opencl_files opencl_launch opencl_memory opencl_svm opencl_failures opencl_cache
TESTS += $(OPENCL_TESTS:%=%-test)
TEST_LIBRARIES += libfakecl libfakecl_old
libfakecl_SOURCES := $(wildcard test/fakecl/*.c)
# The same library as it was before there were event callbacks.
libfakecl_old_SOURCES := $(filter-out test/fakecl/callback.c,$(wildcard test/fakecl/*.c))
$(foreach t,$(OPENCL_TESTS),$(eval $(t)-test_SOURCES := test/$(t)_test.c test/opencl_fake.c test/opencl_harness.c $(test_HARNESS) $(RT_SOURCES)))
# and against what is here
POCL_TESTS := pocl pocl_files pocl_launch pocl_svm
TESTS += $(POCL_TESTS:%=%-test)
$(foreach t,$(POCL_TESTS),$(eval $(t)-test_SOURCES := test/$(t)_test.c test/pocl_harness.c test/opencl_harness.c $(test_HARNESS) $(RT_SOURCES)))
opencl_files-test_SOURCES += test/source_files.c
pocl_files-test_SOURCES += test/source_files.c
# the other side of a link, as another program would be
PROGRAMS += tango-peer
tango-peer_SOURCES := $(wildcard test/tango_peer/*.c)
# an app of a net in a process of its own
PROGRAMS += net-peer
net-peer_SOURCES := $(wildcard test/net_peer/*.c)
# a program with sockets of AF_XDP that knows nothing of Isle
PROGRAMS += xsk-peer
xsk-peer_SOURCES := $(wildcard test/xsk_peer/*.c)
# handlers of packets; where spin-cc cannot build them, their tests say why and are skipped
SPIN_TESTS := spin spin_shared spin_same spin_hostile spin_limits spin_cc spin_driver spin_host
TESTS += spin_image-test $(SPIN_TESTS:%=%-test)
spin_image-test_SOURCES := test/spin_image_test.c $(SPIN_LOADER) $(test_HARNESS) $(RT_SOURCES)
$(foreach t,$(SPIN_TESTS),$(eval $(t)-test_SOURCES := test/$(t)_test.c test/spin_harness.c $(SPIN_RUNTIME) $(test_HARNESS) $(RT_SOURCES)))
spin_same-test_SOURCES += test/spin_direct.c test/spin_direct/own.c
PROGRAMS += spin-direct spin-frames
spin-direct_SOURCES := test/spin_direct/main.c test/spin_direct/own.c test/spin_direct.c
spin-frames_SOURCES := $(wildcard test/spin_frames/*.c)
spin_driver-test_SOURCES += test/spin_core.c
spin_host-test_SOURCES += test/spin_core.c
SPIN_OF_TREE := $(patsubst spin/handlers/%.c,build/spin/%.spin,$(wildcard spin/handlers/*.c))
SPIN_OF_TEST := $(patsubst test/handlers/%.c,build/spin/%.spin,$(wildcard test/handlers/*.c))
SPIN_IMAGES := $(SPIN_OF_TREE) $(SPIN_OF_TEST) build/spin/udp_ping_host.spin
SPIN_PARTS := build/spin/checked $(wildcard spin/include/* spin/libc/* spin/lib/* test/handlers/*.h test/handlers/*.inc)
spin_image = $(SAY) '  $@' && { [ -f build/spin/unable ] || spin/spin-cc $(1) -o $@ $<; }
build/spin/checked: spin/spin-cc
	@mkdir -p $(@D) && rm -f build/spin/unable
	@spin/spin-cc --can 2>build/spin/reason || mv build/spin/reason build/spin/unable
	@touch $@
$(SPIN_OF_TREE): build/spin/%.spin: spin/handlers/%.c $(SPIN_PARTS)
	$(call spin_image)
$(SPIN_OF_TEST): build/spin/%.spin: test/handlers/%.c $(SPIN_PARTS)
	$(call spin_image)
build/spin/udp_ping_host.spin: spin/handlers/udp_ping.c $(SPIN_PARTS)
	$(call spin_image,-DDO_HOST=1)
test-files asan-test tsan-test: $(SPIN_IMAGES)
