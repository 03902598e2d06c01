#define _GNU_SOURCE
#include "spin_harness.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "futex.h"

static const char *image_file(const char *name)
{
    static char path[4352];
    snprintf(path, sizeof path, "%s%s%s", *name == '/' ? "" : test_folder(), *name == '/' ? "" : "/../spin/", name);
    return path;
}

bool rig_can(const char *suite, size_t tests)
{
    char reason[256] = "";
    FILE *f = fopen(image_file("unable"), "r");
    if (f) {
        if (!fgets(reason, sizeof reason, f))
            strcpy(reason, "spin-cc does not say why\n");
        fclose(f);
    }
#ifdef __SANITIZE_THREAD__
    strcpy(reason, "ThreadSanitizer holds back the signals that end handlers\n");
#endif
    if (reason[0])
        printf("%s is skipped: %s%s: 0 passed, 0 failed, %zu skipped\n", suite, reason, suite, tests);
    return !reason[0];
}

static struct spin_memory shared(uint64_t size)
{
    void *m = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return (struct spin_memory){m == MAP_FAILED ? NULL : m, size};
}

void rig_make(struct rig *r)
{
    *r = (struct rig){.how = {.program_bytes = 256u << 10,
                              .rings = shared((sizeof(isle_spin_rings) + 4095) / 4096 * 4096),
                              .packets = shared(RIG_PACKETS),
                              .handler = shared(RIG_HANDLER),
                              .scratchpads = shared(RIG_SCRATCHPAD * ISLE_SPIN_CLUSTERS * ISLE_SPIN_QUEUES),
                              .host_data = shared(ISLE_SPIN_PAGE),
                              .host = shared(RIG_HOST),
                              .limits = {.handler_limit_us = 100000, .host_wait_ms = 200, .hpu_mhz = 40}}};
    r->rings = r->how.rings.pointer;
    r->packets = r->how.packets.pointer;
    r->handler = r->how.handler.pointer;
    r->scratchpads = r->how.scratchpads.pointer;
    r->host = r->how.host.pointer;
    r->host_data = r->how.host_data.pointer;
}

int rig_attach(struct rig *r, const char *image)
{
    FILE *f = fopen(image_file(image), "rb");
    static uint8_t bytes[1 << 20];
    if (!f) {
        snprintf(r->why, sizeof r->why, "no file %s", image);
        return -ENOENT;
    }
    r->how.image = bytes;
    r->how.image_size = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    int code = spin_attach(&r->how, &r->context, r->why);
    memset(bytes, 0, sizeof bytes);
    return code;
}

void rig_detach(struct rig *r)
{
    if (r->context)
        spin_detach(r->context);
    r->context = NULL;
}

void rig_free(struct rig *r)
{
    struct spin_memory *all[] = {&r->how.rings, &r->how.packets, &r->how.handler, &r->how.scratchpads, &r->how.host_data, &r->how.host};
    rig_detach(r);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i]->size)
            munmap(all[i]->pointer, all[i]->size);
}

bool spin_time_was_over(const isle_spin_end *end, uint32_t handler_limit_us)
{
    return end->cause == ISLE_SPIN_CPU_TIME || (end->cause == ISLE_SPIN_WALL_TIME && end->end_ns - end->start_ns > handler_limit_us * 20000ull);
}

void rig_post_at(struct rig *r, uint32_t hpu, uint32_t handler, uint32_t queue, uint32_t offset, uint32_t length)
{
    isle_spin_hpu *h = &r->rings->hpus[hpu];
    h->task.handler = handler;
    h->task.queue = queue;
    h->task.home_cluster = queue % ISLE_SPIN_CLUSTERS;
    h->task.offset = offset;
    h->task.length = length;
    __atomic_store_n(&h->task.posted, h->task.posted + 1, __ATOMIC_RELEASE);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (__atomic_load_n(&h->end.sleeping, __ATOMIC_SEQ_CST))
        futex_wake_all(&h->task.posted);
}

void rig_post(struct rig *r, uint32_t hpu, uint32_t handler, uint32_t queue, const void *frame, uint32_t length)
{
    if (frame)
        memcpy(r->packets + hpu * 2048, frame, length);
    rig_post_at(r, hpu, handler, queue, hpu * 2048, length);
}

bool rig_wait(struct rig *r, uint32_t hpu)
{
    isle_spin_hpu *h = &r->rings->hpus[hpu];
    for (uint64_t until = clock_ns() + 60000000000u; clock_ns() < until; sched_yield())
        if (__atomic_load_n(&h->end.ended, __ATOMIC_ACQUIRE) == h->task.posted)
            return true;
    return false;
}

int rig_run(struct rig *r, uint32_t hpu, uint32_t handler, uint32_t queue, const void *frame, uint32_t length)
{
    rig_post(r, hpu, handler, queue, frame, length);
    return rig_wait(r, hpu) ? (int)r->rings->hpus[hpu].end.result : -1;
}

uint32_t rig_sent(struct rig *r, uint32_t hpu, uint8_t frame[ISLE_SPIN_FRAME])
{
    isle_spin_hpu *h = &r->rings->hpus[hpu];
    if (__atomic_load_n(&h->sent, __ATOMIC_ACQUIRE) == h->taken)
        return 0;
    const isle_spin_frame *slot = &h->sends[h->taken % ISLE_SPIN_SENDS];
    uint32_t length = slot->length;
    memcpy(frame, slot->bytes, length);
    __atomic_store_n(&h->taken, h->taken + 1, __ATOMIC_RELEASE);
    return length;
}

const char *rig_text(struct rig *r)
{
    static char text[ISLE_SPIN_TEXT + 1];
    uint32_t n = 0;
    for (uint64_t to = __atomic_load_n(&r->rings->text_written, __ATOMIC_ACQUIRE); r->rings->text_taken < to; r->rings->text_taken++)
        text[n++] = (char)r->rings->text[r->rings->text_taken % ISLE_SPIN_TEXT];
    text[n] = 0;
    return text;
}
