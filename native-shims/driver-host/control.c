#define _GNU_SOURCE
#include "host.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

#include "futex.h"
#include "rt.h"

static uint64_t wait_request(struct host *h, uint64_t last)
{
    isle_channel_header *c = h->channel;
    for (;;) {
        uint64_t until = clock_ns() + (uint64_t)h->spin_us * 1000;
        uint64_t seq;
        do {
            seq = __atomic_load_n(&c->control_seq, __ATOMIC_ACQUIRE);
            if (seq != last)
                return seq;
            sched_yield();
        } while (clock_ns() < until);
        uint32_t seen = __atomic_load_n(&c->control_bell, __ATOMIC_SEQ_CST);
        __atomic_store_n(&c->control_sleeping, 1, __ATOMIC_SEQ_CST);
        if (__atomic_load_n(&c->control_seq, __ATOMIC_SEQ_CST) == last)
            futex_wait(&c->control_bell, seen, 0);
        __atomic_store_n(&c->control_sleeping, 0, __ATOMIC_SEQ_CST);
    }
}

static void reply(struct host *h, uint64_t seq, const void *response, uint32_t length)
{
    isle_channel_header *c = h->channel;
    memcpy(h->control_response, response, length);
    __atomic_store_n(&c->reply_length, length, __ATOMIC_RELAXED);
    __atomic_store_n(&c->reply_seq, seq, __ATOMIC_RELEASE);
    bell_ring(&c->reply_bell, &c->reply_sleeping);
}

static uint32_t op_of(const uint8_t *request, uint32_t length)
{
    isle_control_request head;
    if (length < sizeof head)
        return 0;
    memcpy(&head, request, sizeof head);
    return head.op;
}

/* What the runtime cannot know: the descriptors. */
static int64_t add_segment(struct host *h, const uint8_t *request, uint32_t length, uint8_t *response)
{
    isle_control_request head;
    isle_segment_request q;
    isle_control_response r;
    memcpy(&head, request, sizeof head);
    r = (isle_control_response){.seq = head.seq, .result = -EINVAL};
    if (head.length == sizeof q && length == sizeof head + sizeof q) {
        memcpy(&q, request + sizeof head, sizeof q);
        r.result = channel_add_segment(h, &q);
    } else {
        rt_violation(h->rt);
    }
    memcpy(response, &r, sizeof r);
    return sizeof r;
}

static int64_t tell_sandbox(const struct host *h, const uint8_t *request, uint8_t *response)
{
    isle_control_request head;
    memcpy(&head, request, sizeof head);
    isle_control_response r = {.seq = head.seq, .length = h->sandbox.length};
    memcpy(response, &r, sizeof r);
    memcpy(response + sizeof r, h->sandbox.report, h->sandbox.length);
    return (int64_t)sizeof r + r.length;
}

/* Device and command segment change only while the data thread stands; heaps of contexts and sources come and go beside it. */
static bool needs_still_data(uint32_t op, const uint8_t *request, uint32_t length)
{
    if (op == ISLE_OP_ADD_SEGMENT || op == ISLE_OP_REMOVE_SEGMENT) {
        uint32_t id = 0;
        if (length >= sizeof(isle_control_request) + sizeof id)
            memcpy(&id, request + sizeof(isle_control_request), sizeof id);
        return id == ISLE_SEGMENT_COMMANDS || id == ISLE_SEGMENT_DOORBELL || id == ISLE_SEGMENT_AGENT;
    }
    return op == ISLE_OP_OPEN || op == ISLE_OP_CLOSE || op == ISLE_OP_EXIT;
}

/* These are about work that was submitted before them. */
static bool follows_data(uint32_t op)
{
    return op == ISLE_OP_DESTROY_CONTEXT || op == ISLE_OP_RESET_CONTEXT || op == ISLE_OP_RESET_DEVICE || op == ISLE_OP_FREE ||
           op == ISLE_OP_UNLOAD_PROGRAM || op == ISLE_OP_CLOSE;
}

static int64_t handle(struct host *h, const uint8_t *request, uint32_t length, uint8_t *response)
{
    uint32_t op = op_of(request, length);
    if (op == ISLE_OP_ADD_SEGMENT)
        return add_segment(h, request, length, response);
    if (op == ISLE_OP_SANDBOX)
        return tell_sandbox(h, request, response);
    int64_t n = isle_rt_control(h->rt, request, length, response, ISLE_CONTROL_BYTES);
    if (n < 0)
        return n;
    isle_control_response r;
    memcpy(&r, response, sizeof r);
    if (op == ISLE_OP_REMOVE_SEGMENT && r.result >= 0) {
        uint32_t id;
        memcpy(&id, request + sizeof(isle_control_request), sizeof id);
        channel_unmap_segment(h, id);
    }
    if (op == ISLE_OP_OPEN && r.result >= 0)
        h->polling = h->rt->completion_mode == RT_POLLING;
    return n;
}

/* The device is closed; the response goes out when nothing of the driver is left. */
static void leave(struct host *h, uint64_t seq, const uint8_t *response, uint32_t length)
{
    isle_channel_header *c = h->channel;
    atomic_store(&h->stop, 1);
    data_resume(h);
    pthread_join(h->data_thread, NULL);
    isle_rt_unload(h->rt);
    __atomic_store_n(&c->host_state, ISLE_HOST_CLOSED, __ATOMIC_RELEASE);
    reply(h, seq, response, length);
}

void control_loop(struct host *h)
{
    static uint8_t request[ISLE_CONTROL_BYTES] __attribute__((aligned(64)));
    static uint8_t response[ISLE_CONTROL_BYTES] __attribute__((aligned(64)));
    uint64_t seq = __atomic_load_n(&h->channel->reply_seq, __ATOMIC_RELAXED);
    for (;;) {
        seq = wait_request(h, seq);
        uint32_t length = __atomic_load_n(&h->channel->control_length, __ATOMIC_RELAXED);
        int64_t n = -EMSGSIZE;
        uint32_t op = 0;
        bool still = false;
        if (length <= sizeof request) {
            memcpy(request, h->control_request, length);
            op = op_of(request, length);
            still = needs_still_data(op, request, length);
            if (follows_data(op))
                data_catch_up(h);
            if (still)
                data_pause(h);
            n = handle(h, request, length, response);
        } else {
            rt_violation(h->rt);
        }
        isle_control_response r = {.seq = seq, .result = (IoResultCode)n};
        if (n < 0) {
            memcpy(response, &r, sizeof r);
            n = sizeof r;
        } else {
            memcpy(&r, response, sizeof r);
        }
        if (op == ISLE_OP_EXIT && r.result >= 0) {
            leave(h, seq, response, (uint32_t)n);
            return;
        }
        if (still)
            data_resume(h);
        reply(h, seq, response, (uint32_t)n);
    }
}
