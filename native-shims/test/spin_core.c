#define _GNU_SOURCE
#include "spin_core.h"

#include <errno.h>
#include <sched.h>

#include "futex.h"

static const uint64_t sizes[ISLE_HPU_MEMORIES] = {
    sizeof(isle_spin_rings), 65536, 65536, 4096 * ISLE_SPIN_CLUSTERS * ISLE_SPIN_QUEUES, 4096, 16 * 4096};
struct core core;
uint8_t *heap;
isle_alloc_response places[ISLE_HPU_MEMORIES];
isle_hpu_attach_request request;
char why[ISLE_HPU_WHY + 1];
static uint8_t *other_heap;

int load(const char *image, uint64_t context, uint64_t program)
{
    static uint8_t body[64 << 10];
    char path[4352];
    isle_load_request q = {.context = context, .program = program, .kind = ISLE_PROGRAM_HANDLERS};
    snprintf(path, sizeof path, "%s/../spin/%s", test_folder(), image);
    FILE *f = fopen(path, "rb");
    if (!f)
        return -ENOENT;
    q.length = (uint32_t)fread(body + sizeof q, 1, sizeof body - sizeof q - 64, f);
    fclose(f);
    memcpy(body, &q, sizeof q);
    return core_call(&core, ISLE_OP_LOAD_PROGRAM, body, (uint32_t)sizeof q + q.length);
}

int attach(void)
{
    int rc = core_call(&core, ISLE_OP_HPU_ATTACH, &request, sizeof request);
    snprintf(why, sizeof why, "%.*s", (int)core_body_length(&core), (const char *)core_body(&core));
    return rc;
}

int prepare(const char *settings, const char *image)
{
    int rc = core_open(&core, *settings ? settings : "handler_limit_us=500000");
    rc = rc ? rc : core_heap(&core, 16, HEAP, &heap);
    rc = rc ? rc : core_heap(&core, 17, HEAP, &other_heap);
    rc = rc ? rc : core_context(&core, CONTEXT, 16, NULL);
    rc = rc ? rc : core_context(&core, OTHER, 17, NULL);
    rc = rc ? rc : load(image, CONTEXT, PROGRAM);
    rc = rc ? rc : load(image, OTHER, FOREIGN_PROGRAM);
    request = (isle_hpu_attach_request){.context = CONTEXT, .program = PROGRAM, .limits = {.handler_limit_us = *settings ? 5000 : 500000, .host_wait_ms = 100}};
    for (uint32_t i = 0; !rc && i < ISLE_HPU_MEMORIES; i++) {
        rc = core_alloc(&core, CONTEXT, MEMORY(i), sizes[i], ACCEL_MEM_CPU_VISIBLE, &places[i]);
        request.memories[i] = MEMORY(i);
    }
    return rc ? rc : core_alloc(&core, OTHER, FOREIGN, 65536, ACCEL_MEM_CPU_VISIBLE, NULL);
}

isle_spin_rings *rings(void)
{
    return (isle_spin_rings *)(void *)(heap + places[RINGS].offset);
}

void post(const void *frame, uint32_t length)
{
    isle_spin_hpu *h = &rings()->hpus[2];
    memcpy(heap + places[PACKETS].offset, frame, length);
    h->task.handler = ISLE_SPIN_PACKET;
    h->task.length = length;
    __atomic_store_n(&h->task.posted, h->task.posted + 1, __ATOMIC_SEQ_CST);
    futex_wake_all(&h->task.posted);
}

int run(const void *frame, uint32_t length)
{
    isle_spin_hpu *h = &rings()->hpus[2];
    post(frame, length);
    for (uint64_t until = clock_ns() + 60000000000u; clock_ns() < until; sched_yield())
        if (__atomic_load_n(&h->end.ended, __ATOMIC_ACQUIRE) == h->task.posted)
            return (int)h->end.result;
    return -1;
}

int hostile(uint8_t action, uint32_t argument)
{
    uint32_t packet[16] = {action, argument};
    return run(packet, sizeof packet);
}

isle_hpu_report report(void)
{
    isle_hpu_report r = {.attached = 99};
    uint64_t context = CONTEXT;
    if (!core_call(&core, ISLE_OP_HPU_REPORT, &context, sizeof context))
        memcpy(&r, core_body(&core), sizeof r);
    return r;
}

int detach(void)
{
    uint64_t context = CONTEXT;
    return core_call(&core, ISLE_OP_HPU_DETACH, &context, sizeof context);
}
