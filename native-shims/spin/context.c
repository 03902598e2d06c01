/* Execution contexts: their memory and threads. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "futex.h"
#include "hpu.h"

#define HPU_THREAD_STACK (256u << 10)

static void add_range(struct spin_context *x, uint32_t from, uint32_t size, bool writable)
{
    if (size)
        x->ranges[x->range_count++] = (struct range){from, from + size, writable};
}

static int protect(const struct spin_context *x)
{
    for (uint32_t i = 0; i < x->image.segment_count; i++) {
        const struct spin_segment *s = &x->image.segments[i];
        int access = PROT_READ | (s->writable ? PROT_WRITE : 0) | (s->executable ? PROT_EXEC : 0);
        if (mprotect(spin_at(x->low.image + s->address), s->size, access))
            return -errno;
    }
    return 0;
}

static int map_all(struct spin_context *x)
{
    struct spin_low *l = &x->low;
    int code = spin_low_share(l->image + x->entry.host_data, x->how.host_data.pointer, ISLE_SPIN_PAGE);
    if (!code)
        code = spin_low_share(l->handler, x->how.handler.pointer, l->handler_size);
    if (!code)
        code = spin_low_share(l->scratchpads, x->how.scratchpads.pointer, l->scratchpads_size);
    if (!code)
        code = spin_low_share(l->packets, x->how.packets.pointer, l->packets_size);
    for (uint32_t i = 0; !code && i < ISLE_SPIN_HPUS; i++) {
        code = spin_low_fill(spin_l1(l, i), SPIN_L1 + ISLE_SPIN_PAGE);
        if (!code)
            code = spin_low_fill(spin_stack(l, i), SPIN_STACK);
    }
    return code;
}

static int place(struct spin_context *x, char *why)
{
    struct spin_low *l = &x->low;
    l->image_size = x->image.size;
    l->handler_size = (uint32_t)x->how.handler.size;
    l->scratchpads_size = (uint32_t)x->how.scratchpads.size;
    l->packets_size = (uint32_t)x->how.packets.size;
    int code = spin_low_reserve(l);
    if (!code)
        code = spin_low_fill(l->image, l->image_size);
    if (code)
        return spin_refuse(why, "memory below 4 GiB", code);
    code = spin_image_place(&x->image, spin_at(l->image), l->image, &x->entry, why);
    if (code)
        return code;
    memcpy(spin_at(l->image + x->entry.calls), spin_thunks, sizeof spin_thunks);
    code = protect(x);
    if (!code)
        code = map_all(x);
    if (code)
        return spin_refuse(why, "mapping memory below 4 GiB", code);
    for (uint32_t i = 0; i < x->image.segment_count; i++)
        add_range(x, l->image + x->image.segments[i].address, x->image.segments[i].size, x->image.segments[i].writable);
    add_range(x, l->handler, l->handler_size, true);
    add_range(x, l->scratchpads, l->scratchpads_size, true);
    add_range(x, l->packets, l->packets_size, true);
    return 0;
}

static int start(struct spin_context *x)
{
    pthread_attr_t attributes;
    sigset_t all, old;
    sigfillset(&all);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, HPU_THREAD_STACK);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    for (uint32_t i = 0; i < ISLE_SPIN_HPUS; i++)
        x->hpus[i] = (struct hpu){.number = i, .context = x, .shared = &x->rings->hpus[i], .awake = 1};
    x->watching = true;
    int code = -pthread_create(&x->watch, &attributes, spin_watch_main, x);
    if (code)
        x->watching = false;
    for (uint32_t i = 0; !code && i < ISLE_SPIN_HPUS; i++) {
        struct hpu *h = &x->hpus[i];
        h->signal_stack = malloc(SPIN_STACK);
        code = h->signal_stack ? -pthread_create(&h->thread, &attributes, spin_hpu_main, h) : -ENOMEM;
        if (code)
            free(h->signal_stack);
        else
            x->started++;
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    pthread_attr_destroy(&attributes);
    return code;
}

/* Runs init_handlers on HPU 0 and reads what it chose. */
static int choose(struct spin_context *x, char *why)
{
    uint32_t begun;
    while (!(begun = __atomic_load_n(&x->begun, __ATOMIC_ACQUIRE)))
        futex_wait(&x->begun, 0, 0);
    if (begun == 2) {
        snprintf(why, SPIN_WHY, "init_handlers was ended: %s at %#llx", spin_cause(x->hpus[0].cause), (unsigned long long)x->hpus[0].address);
        return -EINVAL;
    }
    memcpy(x->handlers, spin_at(x->low.image + x->entry.chosen), sizeof x->handlers);
    for (uint32_t i = 0; i < 3; i++) {
        const struct spin_segment *s = spin_image_segment(&x->image, x->handlers[i] - x->low.image, 1);
        if (x->handlers[i] && (!s || !s->executable)) {
            snprintf(why, SPIN_WHY, "init_handlers chose %#x, which is no code of the image", x->handlers[i]);
            return -EINVAL;
        }
    }
    if (!spin_handlers(x)) {
        snprintf(why, SPIN_WHY, "init_handlers chose no handler");
        return -EINVAL;
    }
    return 0;
}

static void prepare_rings(struct spin_context *x)
{
    x->rings = x->how.rings.pointer;
    memset(x->rings, 0, sizeof *x->rings);
    x->rings->magic = ISLE_SPIN_MAGIC;
    x->rings->version = ISLE_SPIN_VERSION;
    x->rings->size = sizeof *x->rings;
    memset(x->how.host_data.pointer, 0, sizeof(isle_spin_host_data));
}

int spin_attach(const struct spin_attach *how, struct spin_context **out, char why[SPIN_WHY])
{
    struct spin_context *x = calloc(1, sizeof *x);
    *out = NULL;
    if (!x)
        return spin_refuse(why, "memory of a context", -ENOMEM);
    x->how = *how;
    pthread_mutex_init(&x->text_lock, NULL);
    pthread_mutex_init(&x->trap_lock, NULL);
    int code = spin_check(how, why);
    if (!code)
        code = spin_image_read(&x->image, how->image, how->image_size, how->program_bytes, why);
    if (!code)
        code = place(x, why);
    if (!code && (code = spin_traps_hold())) {
        spin_refuse(why, "signal handlers", code);
    } else if (!code) {
        prepare_rings(x);
        x->epoch_ns = clock_ns();
        code = start(x);
        code = code ? spin_refuse(why, "threads of HPUs", code) : choose(x, why);
        if (code) {
            spin_detach(x);
            return code;
        }
        *out = x;
        return 0;
    }
    spin_low_release(&x->low);
    pthread_mutex_destroy(&x->text_lock);
    pthread_mutex_destroy(&x->trap_lock);
    free(x);
    return code;
}

void spin_detach(struct spin_context *x)
{
    __atomic_store_n(&x->stopping, 1, __ATOMIC_SEQ_CST);
    spin_watch_wake(x);
    for (uint32_t i = 0; i < x->started; i++) {
        /* posted is the NIC's: a wait that has begun ends by this, one that begins sees `stopping` */
        struct timespec soon;
        do {
            futex_wake_all(&x->hpus[i].shared->task.posted);
            clock_gettime(CLOCK_MONOTONIC, &soon);
            soon.tv_nsec += 5000000;
            soon.tv_sec += soon.tv_nsec / 1000000000;
            soon.tv_nsec %= 1000000000;
        } while (pthread_clockjoin_np(x->hpus[i].thread, NULL, CLOCK_MONOTONIC, &soon));
        free(x->hpus[i].signal_stack);
    }
    if (x->watching) {
        __atomic_store_n(&x->watching, false, __ATOMIC_SEQ_CST);
        spin_watch_wake(x);
        pthread_join(x->watch, NULL);
    }
    spin_traps_release();
    spin_low_release(&x->low);
    pthread_mutex_destroy(&x->text_lock);
    pthread_mutex_destroy(&x->trap_lock);
    free(x);
}

uint32_t spin_handlers(const struct spin_context *x)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < 3; i++)
        bits |= x->handlers[i] ? 1u << i : 0;
    return bits;
}

struct spin_trap spin_newest_trap(struct spin_context *x)
{
    pthread_mutex_lock(&x->trap_lock);
    struct spin_trap newest = x->newest_trap;
    pthread_mutex_unlock(&x->trap_lock);
    return newest;
}

const isle_spin_rings *spin_rings(const struct spin_context *x)
{
    return x->rings;
}

const char *spin_cause(uint32_t cause)
{
    static const char *const names[] = {"none",       "access to memory", "bus error",            "arithmetic", "illegal instruction", "breakpoint",
                                        "CPU time",   "time",             "no answer of the host", "exit",       "detached"};
    return cause < sizeof names / sizeof *names ? names[cause] : "unknown";
}
