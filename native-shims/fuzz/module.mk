# make fuzz: libFuzzer for FUZZ_SECONDS each against driver-rt with softaccel, against the scanner of OpenCL sources, and against the loader of handlers; needs clang (CLANG) with its runtime libraries. Inputs stay in build/fuzz/corpus.
FUZZ_SECONDS ?= 60
CLANG ?= clang
FUZZ_CC = $(CLANG) $(ASAN_FLAGS) -MF /dev/null -Itest -Itest/drivers
.PHONY: fuzz
fuzz:
	@mkdir -p build/fuzz/corpus build/fuzz/scan-corpus build/fuzz/spin-corpus
	$(Q)$(FUZZ_CC) -fsanitize=fuzzer-no-link -shared -o build/fuzz/libsoftaccel.so $(SOFT_SOURCES) $(LIBS)
	$(Q)$(FUZZ_CC) -fsanitize=fuzzer -o build/fuzz/rt-fuzz fuzz/rt_fuzz.c test/soft_harness.c $(test_HARNESS) $(RT_SOURCES) $(LIBS)
	cd build/fuzz && ./rt-fuzz -max_total_time=$(FUZZ_SECONDS) -max_len=4096 -timeout=60 corpus
	$(Q)$(FUZZ_CC) -fsanitize=fuzzer -o build/fuzz/scan-fuzz fuzz/scan_fuzz.c $(wildcard opencl/scan*.c)
	cd build/fuzz && ./scan-fuzz -max_total_time=$(FUZZ_SECONDS) -max_len=4096 -timeout=60 scan-corpus
	$(Q)$(FUZZ_CC) -fsanitize=fuzzer -o build/fuzz/spin-fuzz fuzz/spin_fuzz.c $(SPIN_LOADER)
	@cp build/spin/*.spin build/fuzz/spin-corpus 2>/dev/null || :
	cd build/fuzz && ./spin-fuzz -max_total_time=$(FUZZ_SECONDS) -max_len=16384 -timeout=60 spin-corpus
