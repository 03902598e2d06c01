/* A core in miniature: a channel in memory, control calls and submissions against driver-rt in this process, or against a host. */
#ifndef ISLE_TEST_HARNESS_H
#define ISLE_TEST_HARNESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "isle_wire.h"

/* ---- runner ---- */
extern int test_failures;
#define CHECK(condition)                                                        \
    do {                                                                        \
        if (!(condition)) {                                                     \
            printf("  %s:%d: %s\n", __FILE__, __LINE__, #condition);            \
            test_failures++;                                                    \
            return;                                                             \
        }                                                                       \
    } while (0)
#define CHECK_EQ(expected, actual)                                                                                       \
    do {                                                                                                                 \
        long long want_ = (long long)(expected), got_ = (long long)(actual);                                             \
        if (want_ != got_) {                                                                                             \
            printf("  %s:%d: %s: expected %lld, got %lld\n", __FILE__, __LINE__, #actual, want_, got_);                  \
            test_failures++;                                                                                             \
            return;                                                                                                      \
        }                                                                                                                \
    } while (0)

struct test {
    const char *name;
    void (*run)(void);
};
#define TEST(f) {#f, f}
/* Runs the tests (all, or those whose name contains argv[1]); prints a line for each failed one and "N passed, N failed". */
int run_tests(const char *suite, const struct test *tests, size_t count, int argc, char **argv);
/* Folder of the running program: test drivers lie beside it. */
const char *test_folder(void);
const char *test_file(const char *name);

/* splitmix64: the same sequence everywhere */
uint64_t test_random(uint64_t *state);

/* ---- the core's side ---- */
#define TEST_INFLIGHT 256u
#define TEST_COMMANDS (1u << 20)
#define TEST_HEAP (64u << 20)

struct core {
    isle_channel_header *channel;
    uint64_t channel_size;
    uint8_t *commands; /* slot i of 4 KiB belongs to tag index i */
    isle_doorbell *doorbell;
    isle_agent *agent;
    int channel_fd, commands_fd, doorbell_fd, agent_fd;
    uint64_t taken;    /* completions consumed */
    uint64_t posted;   /* requests written */
    uint64_t seq;
    uint32_t generation[TEST_INFLIGHT];
    /* in process */
    isle_rt *rt;
    /* with a host */
    int socket, listener, host_pid;
    uint8_t request[ISLE_CONTROL_BYTES] __attribute__((aligned(64)));
    uint8_t response[ISLE_CONTROL_BYTES] __attribute__((aligned(64)));
    char why[512];
};

int segment_make(const char *name, uint64_t size, void **pointer);
void core_make(struct core *c);
void core_free(struct core *c);
/* In process: loads the library. Negative: see why. */
int core_load(struct core *c, const char *library);
int core_unload(struct core *c);
/* One control call; the response's body is at response + sizeof(isle_control_response). Returns its result. */
int core_call(struct core *c, uint32_t op, const void *body, uint32_t length);
const void *core_body(const struct core *c);
uint32_t core_body_length(const struct core *c);
/* settings: "key=value" lines, or NULL */
int core_open(struct core *c, const char *settings);
int core_heap(struct core *c, uint32_t segment, uint64_t size, uint8_t **pointer);
#define core_id(kind, generation, index) ((uint64_t)(kind) << 56 | (uint64_t)(generation) << 32 | (index))
int core_context(struct core *c, uint64_t id, uint32_t heap_segment, const AccelContextLimits *limits);
int core_alloc(struct core *c, uint64_t context, uint64_t id, uint64_t size, uint32_t flags, isle_alloc_response *out);
int core_program(struct core *c, uint64_t context, uint64_t id, const char *name);

/* ---- commands ---- */
struct command {
    uint8_t bytes[4096] __attribute__((aligned(8)));
    uint32_t length;
};
/* Bindings first, then ops. */
void command_begin(struct command *k);
uint32_t command_bind(struct command *k, uint64_t object, uint64_t offset, uint64_t length, uint32_t access);
void command_op(struct command *k, const void *op, uint32_t length);
void command_dispatch(struct command *k, uint32_t program, uint32_t arg_count, const isle_arg *args);
void command_fill(struct command *k, uint32_t dst, uint64_t offset, uint64_t bytes, uint32_t pattern);
void command_copy(struct command *k, uint32_t dst, uint32_t src, uint64_t bytes);
/* Puts it into the slot of a tag index and submits (by call, or through the request ring). Returns the code; *tag is set. */
int core_submit(struct core *c, uint64_t context, const struct command *k, uint32_t index, uint64_t *tag);
/* Next completion; false after `ms` without one. */
bool core_next(struct core *c, uint32_t ms, isle_completion_slot *out);
/* submit and wait; returns 0, or the detail (or code) when not SUCCESS */
int core_run(struct core *c, uint64_t context, const struct command *k, isle_completion_slot *out);
/* Submits an operation of the test driver's own: what to do, and with what. */
int core_vendor(struct core *c, uint64_t context, uint32_t action, uint32_t what, uint32_t index, uint64_t *tag);
/* 0, or what is wrong with the next completion. */
int core_expect(struct core *c, uint64_t tag, uint32_t status, int detail);

/* ---- a host as child ---- */
int core_host_start(struct core *c, const char *library);
/* More arguments of the next host, NULL behind the last; or NULL. */
extern const char *const *core_host_options;
int core_send_segment(struct core *c, uint32_t segment, uint32_t writable, uint64_t size, int fd);
/* Waits for a state of the host, or its end; returns the state. */
uint32_t core_host_wait(struct core *c, uint32_t ms);
/* Waits for the child; returns waitpid's status. */
int core_host_reap(struct core *c, uint32_t ms);

#endif
