test_HARNESS := test/runner.c test/core.c test/commands.c test/hosts.c

TESTS += host-test
host-test_SOURCES := test/host_test.c $(test_HARNESS) $(RT_SOURCES)
