#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "futex.h"
#include "harness.h"

int segment_make(const char *name, uint64_t size, void **pointer)
{
    int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0 || ftruncate(fd, (off_t)size) || fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
        abort();
    *pointer = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (*pointer == MAP_FAILED)
        abort();
    return fd;
}

void core_make(struct core *c)
{
    memset(c, 0, sizeof *c);
    uint64_t rings = TEST_INFLIGHT * 64ull;
    c->channel_size = 4096 + 2 * rings + 2 * ISLE_CONTROL_BYTES + ISLE_CRASH_BYTES + 4096;
    void *p;
    c->channel_fd = segment_make("channel", c->channel_size, &p);
    c->channel = p;
    c->commands_fd = segment_make("commands", TEST_COMMANDS, &p);
    c->commands = p;
    c->doorbell_fd = segment_make("doorbell", 4096, &p);
    c->doorbell = p;
    c->agent_fd = segment_make("agent", 4096, &p);
    c->agent = p;
    isle_channel_header *h = c->channel;
    h->magic = ISLE_CHANNEL_MAGIC;
    h->abi = ISLE_CHANNEL_ABI;
    h->total_size = c->channel_size;
    h->request_capacity = h->completion_capacity = h->max_inflight = TEST_INFLIGHT;
    h->spin_us = 50;
    h->request_offset = 4096;
    h->completion_offset = 4096 + rings;
    h->control_request_offset = 4096 + 2 * rings;
    h->control_response_offset = h->control_request_offset + ISLE_CONTROL_BYTES;
    h->crash_offset = h->control_response_offset + ISLE_CONTROL_BYTES;
    h->started_offset = h->crash_offset + ISLE_CRASH_BYTES;
    _Static_assert(TEST_INFLIGHT * sizeof(isle_started) <= 4096, "the started table has a page");
    c->socket = c->listener = -1;
}

void core_free(struct core *c)
{
    munmap(c->channel, c->channel_size);
    munmap(c->commands, TEST_COMMANDS);
    munmap(c->doorbell, 4096);
    munmap(c->agent, 4096);
    close(c->channel_fd);
    close(c->commands_fd);
    close(c->doorbell_fd);
    close(c->agent_fd);
    if (c->socket >= 0)
        close(c->socket);
    if (c->listener >= 0)
        close(c->listener);
}

int core_load(struct core *c, const char *library)
{
    int rc = isle_rt_load(test_file(library), c->channel, c->why, sizeof c->why, &c->rt);
    if (!rc)
        rc = isle_rt_add_segment(c->rt, ISLE_SEGMENT_COMMANDS, c->commands, TEST_COMMANDS, 0);
    if (!rc)
        rc = isle_rt_add_segment(c->rt, ISLE_SEGMENT_DOORBELL, c->doorbell, 4096, 1);
    if (!rc)
        rc = isle_rt_add_segment(c->rt, ISLE_SEGMENT_AGENT, c->agent, 4096, 0);
    return rc;
}

int core_unload(struct core *c)
{
    int rc = isle_rt_unload(c->rt);
    c->rt = NULL;
    return rc;
}

static int call_host(struct core *c, uint32_t length)
{
    isle_channel_header *h = c->channel;
    memcpy((uint8_t *)h + h->control_request_offset, c->request, length);
    h->control_length = length;
    __atomic_store_n(&h->control_seq, c->seq, __ATOMIC_RELEASE);
    bell_ring(&h->control_bell, &h->control_sleeping);
    uint64_t until = clock_ns() + 60000000000ull;
    while (__atomic_load_n(&h->reply_seq, __ATOMIC_ACQUIRE) != c->seq) {
        if (clock_ns() > until || __atomic_load_n(&h->host_state, __ATOMIC_ACQUIRE) == ISLE_HOST_CRASHED)
            return -ETIME;
        usleep(50);
    }
    memcpy(c->response, (uint8_t *)h + h->control_response_offset, h->reply_length);
    return 0;
}

int core_call(struct core *c, uint32_t op, const void *body, uint32_t length)
{
    isle_control_request q = {.seq = ++c->seq, .op = op, .length = length};
    isle_control_response r;
    memcpy(c->request, &q, sizeof q);
    if (length)
        memcpy(c->request + sizeof q, body, length);
    if (c->rt) {
        int64_t n = isle_rt_control(c->rt, c->request, (uint32_t)sizeof q + length, c->response, sizeof c->response);
        if (n < 0)
            return (int)n;
    } else {
        int rc = call_host(c, (uint32_t)sizeof q + length);
        if (rc)
            return rc;
    }
    memcpy(&r, c->response, sizeof r);
    return r.seq == q.seq ? r.result : -EPROTO;
}

const void *core_body(const struct core *c)
{
    return c->response + sizeof(isle_control_response);
}

uint32_t core_body_length(const struct core *c)
{
    isle_control_response r;
    memcpy(&r, c->response, sizeof r);
    return r.length;
}

int core_open(struct core *c, const char *settings)
{
    static uint8_t body[8192];
    isle_open_request q = {.seed = {.name = "test"}};
    uint32_t n = sizeof q;
    while (settings && *settings) {
        const char *equals = strchr(settings, '='), *end = strchrnul(settings, '\n');
        uint16_t lengths[2] = {(uint16_t)(equals - settings), (uint16_t)(end - equals - 1)};
        memcpy(body + n, lengths, 4);
        memcpy(body + n + 4, settings, lengths[0]);
        memcpy(body + n + 4 + lengths[0], equals + 1, lengths[1]);
        n += 4u + lengths[0] + lengths[1];
        q.value_count++;
        settings = *end ? end + 1 : end;
    }
    memcpy(body, &q, sizeof q);
    return core_call(c, ISLE_OP_OPEN, body, n);
}

int core_heap(struct core *c, uint32_t segment, uint64_t size, uint8_t **pointer)
{
    void *p;
    int fd = segment_make("heap", size, &p);
    *pointer = p;
    int rc = c->rt ? isle_rt_add_segment(c->rt, segment, p, size, 1) : core_send_segment(c, segment, 1, size, fd);
    close(fd);
    return rc;
}

int core_context(struct core *c, uint64_t id, uint32_t heap_segment, const AccelContextLimits *limits)
{
    isle_create_context q = {.context = id, .owner_pid = 1, .priority = ACCEL_PRIORITY_NORMAL, .heap_segment = heap_segment};
    if (limits)
        q.limits = *limits;
    return core_call(c, ISLE_OP_CREATE_CONTEXT, &q, sizeof q);
}

int core_alloc(struct core *c, uint64_t context, uint64_t id, uint64_t size, uint32_t flags, isle_alloc_response *out)
{
    isle_alloc_request q = {.context = context, .memory = id, .size = size, .flags = flags};
    int rc = core_call(c, ISLE_OP_ALLOC, &q, sizeof q);
    if (out && !rc)
        memcpy(out, core_body(c), sizeof *out);
    return rc;
}

int core_program(struct core *c, uint64_t context, uint64_t id, const char *name)
{
    uint8_t body[256];
    isle_load_request q = {.context = context, .program = id, .kind = ISLE_PROGRAM_BUILTIN, .length = (uint32_t)strlen(name)};
    memcpy(body, &q, sizeof q);
    memcpy(body + sizeof q, name, q.length);
    return core_call(c, ISLE_OP_LOAD_PROGRAM, body, (uint32_t)sizeof q + q.length);
}
