#ifndef ISLE_TESTDRIVER_H
#define ISLE_TESTDRIVER_H

#include <stdbool.h>

#include "isle_kabi.h"

enum {
    TEST_ACTION_COMPLETE = 0, /* before submit_commands returns */
    TEST_ACTION_HOLD = 1,
    TEST_ACTION_TWICE = 2,
    TEST_ACTION_REFUSE = 3,
    TEST_ACTION_COMPLETE_AND_REFUSE = 4,
    TEST_ACTION_WRONG_TAG = 5,
    TEST_ACTION_WRONG_STATUS = 6,
    TEST_ACTION_RELEASE = 7, /* ends what is held, then itself */
    TEST_ACTION_ESCAPE = 8,  /* tries what the second word says; the completion's detail is the outcome */
    TEST_ACTION_BLOCK = 9,   /* submit_commands does not return */
    TEST_ACTION_GONE = 10,   /* there is no device any more */
    TEST_ACTION_CRASH = 11,  /* as the second word says */
    TEST_ACTION_SAY = 12     /* logs a line that names the second word, then ends with ERROR, -EINVAL */
};

#define TEST_MANY_THREADS 5000
#define TEST_FOLDER "ISLE_TEST_FOLDER" /* the variable with a folder of the test's own, which no host is given */
#define TEST_ESCAPED "escaped.so"
enum {
    TEST_TRY_THREAD,
    TEST_TRY_MANY_THREADS, /* the outcome is how many could be made */
    TEST_TRY_SYSTEM_LIBRARY,
    TEST_TRY_READ_FILE,
    TEST_TRY_LIST_ROOT,
    TEST_TRY_WRITE_FILE,
    TEST_TRY_MEMORY_OF_CORE,
    TEST_TRY_SOCKET,
    TEST_TRY_FORK,
    TEST_TRY_SIGNAL_CORE,
    TEST_TRY_SIGNAL_BY_DESCRIPTOR,
    TEST_TRY_SIGNAL_BY_SOCKET,
    TEST_TRY_MUCH_MEMORY,
    TEST_TRY_SHARED_MEMORY,
    TEST_TRY_GROWING_MEMORY,
    TEST_TRY_MEMFD,
    TEST_TRY_IOCTL,
    TEST_TRY_RAISE_LIMIT,
    TEST_TRY_PIN_CORE,
    TEST_TRY_PIN_SELF,
    TEST_TRY_PRIVILEGES,
    TEST_TRY_CAPABILITIES,
    TEST_TRY_LIMIT_CORE,
    TEST_TRY_SLOW_CORE,
    TEST_TRY_ROBUST_LIST,
    TEST_TRY_NAMESPACE,
    TEST_TRY_STOP,
    TEST_TRY_CHANGE_USER,
    TEST_TRY_WRITE_CACHE,   /* makes, renames and removes a file in the folder that it was given */
    TEST_TRY_CACHE_DEVICE,  /* makes a node there */
    TEST_TRY_CHANGE_MODE,   /* of the host's own program */
    TEST_TRY_CHANGE_TIMES,
    TEST_TRY_LINKER,        /* has the linker make a library in that folder: its exit code, or why it did not run */
    TEST_TRY_LINKER_BESIDE, /* the same, TEST_ESCAPED in the test's folder */
    TEST_TRY_PROGRAM,       /* has another program run */
    TEST_TRY_LINKER_WAITS,  /* has the linker make "out" of "pipe" in that folder */
    /* has what watches the core look at something else, and its end go round for ever; tests in Java have this number */
    TEST_TRY_TAKE_WATCH = 100,
    TEST_TRY_END_FIRST_THREAD,
    TEST_TRY_OUTLIVE_CORE,  /* wants no signal when the core ends */
    TEST_TRY_HOLD_THREADS, /* every thread but the caller's gets signals whose handlers do not return */
    TEST_TRY_PTRACE,
    TEST_TRY_EXEC,
    TEST_TRY_UNSHARE
};
int test_escape(uint32_t what);

enum {
    TEST_CRASH_NEAR,       /* writes to address 16 */
    TEST_CRASH_WILD,       /* writes to an address that none can be, 0xdeadbeefdeadbee0 */
    TEST_CRASH_CALL,       /* calls what is no code, at address 32 */
    TEST_CRASH_IN_LIBRARY, /* has the C library copy to address 64 */
    TEST_CRASH_IN_LEAF,    /* as the first, in a function that has no frame */
    TEST_CRASH_SENT,       /* sends itself SIGSEGV */
    TEST_CRASH_UNNAMED     /* as the first, in a thread that it gave no name */
};
/* Does not return; testdriver_crash.c. */
void test_crash(uint32_t how);
/* Of the thread that watches the core; testdriver_takeover.c. */
int test_hold_threads(void);
int test_take_watch(void);
int test_end_first_thread(void);

struct test_work {
    const isle_core *core;
    AccelCompletionCallback callback;
    uint32_t held_count;
    int64_t last_code; /* what complete() returned last */
    uint32_t svm_count; /* contexts for which enable_svm was called, with a page table of 0 */
    uint32_t destroyed;
};
extern struct test_work test_work;

/* Whether ISLE_TEST_DRIVER says so. */
bool test_is(const char *variant);
/* Of the variants whose name begins with "display"; else NULL. */
const void *test_display_interface(uint32_t id);
/* Of the variants whose name begins with "kernels": programs of one kernel, which are described rightly or ("kernels-lie") wrongly. */
const void *test_programs_interface(uint32_t id);
#define TEST_KERNEL_ARGS 3u /* a buffer that is read and written, local memory, bytes */
void test_end_all(uint64_t context); /* 0: of every context */
IoResultCode test_submit(void *ctx, AccelContextHandle context, const uint8_t *command, uint32_t length, const AccelFence *fences,
                         uint32_t fence_count, AccelSubmissionHandle *out);
IoResultCode test_poll(void *ctx, AccelSubmissionHandle submission, AccelCompletionStatus *out);

#endif
