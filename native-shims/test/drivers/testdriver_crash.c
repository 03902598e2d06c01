/* Ways to crash, in functions whose names a report should have. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>

#include "testdriver.h"

/* As written, and found by its name. */
#define EXACTLY __attribute__((noinline, visibility("default"), no_sanitize("address", "thread", "undefined")))
void test_crash_by_writing(volatile uintptr_t *where);
void test_crash_by_calling(void);
void test_crash_by_copying(void);
void test_crash_by_leaf(void);

/* No compiler may know where they lead. */
static volatile uintptr_t near_null = 16, wild = 0xdeadbeefdeadbee0, no_code = 32, target = 64;

EXACTLY void test_crash_by_writing(volatile uintptr_t *where)
{
    *(volatile int *)*where = 1;
    __asm__ volatile("");
}

EXACTLY void test_crash_by_calling(void)
{
    ((void (*)(void))no_code)();
    __asm__ volatile("");
}

EXACTLY void test_crash_by_copying(void)
{
    static const char from[4096];
    volatile size_t length = sizeof from;
    void *(*volatile copy)(void *, const void *, size_t) = memcpy;
    copy((void *)target, from, length);
    __asm__ volatile("");
}

/* It needs no frame, and may get none. */
static __attribute__((noinline, no_sanitize("address", "thread", "undefined"))) void write_nowhere(void)
{
    *(volatile int *)near_null = 1;
}

static void *unnamed(void *arg)
{
    write_nowhere();
    return arg;
}

EXACTLY void test_crash_by_leaf(void)
{
    write_nowhere();
    __asm__ volatile("");
}

void test_crash(uint32_t how)
{
    pthread_t thread;
    switch (how) {
    case TEST_CRASH_WILD:
        test_crash_by_writing(&wild);
        break;
    case TEST_CRASH_CALL:
        test_crash_by_calling();
        break;
    case TEST_CRASH_IN_LIBRARY:
        test_crash_by_copying();
        break;
    case TEST_CRASH_SENT:
        raise(SIGSEGV);
        break;
    case TEST_CRASH_IN_LEAF:
        test_crash_by_leaf();
        break;
    case TEST_CRASH_UNNAMED:
        pthread_create(&thread, NULL, unnamed, NULL);
        pthread_join(thread, NULL);
        break;
    default:
        test_crash_by_writing(&near_null);
    }
}
