test_HARNESS := test/runner.c test/core.c test/commands.c test/hosts.c
test_FLAGS := -Itest -Itest/drivers
test_NAMES := negotiate heap ring host

TEST_LIBRARIES += libtestdriver
libtestdriver_SOURCES := test/drivers/testdriver.c

TESTS += $(test_NAMES:%=%-test)
$(foreach t,$(test_NAMES),$(eval $(t)-test_SOURCES := test/$(t)_test.c $(test_HARNESS) $(RT_SOURCES)))
