#define _GNU_SOURCE
#include "rt.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "futex.h"

uint64_t rt_publish(isle_rt *rt, const isle_completion *c)
{
    /* Among a ring's worth of tickets at least one tag was submitted after this slot's last completion had been read; through the chain
     * of tickets every later writer is ordered after that reading. */
    uint64_t ticket = __atomic_fetch_add(&rt->header->completion_tail, 1, __ATOMIC_ACQ_REL);
    isle_completion_slot *s = &rt->completions[ticket & rt->completion_mask];
    s->tag = c->tag;
    s->status = c->status;
    s->detail = c->detail;
    s->start_ns = c->start_ns;
    s->end_ns = c->end_ns;
    s->busy_ns = c->busy_ns;
    __atomic_store_n(&s->seq, ticket + 1, __ATOMIC_RELEASE);
    isle_doorbell *bell = atomic_load_explicit(&rt->doorbell, memory_order_acquire);
    const isle_agent *agent = atomic_load_explicit(&rt->agent, memory_order_acquire);
    if (bell)
        bell_ring_for(&bell->bell, agent ? &agent->sleeping : NULL);
    return ticket;
}

/* The ring cannot overflow: it has a slot for every tag, and the core uses a tag again only after it took the completion. */
IoResultCode rt_complete(void *core, const isle_completion *completion)
{
    isle_rt *rt = core;
    isle_completion c = *completion;
    uint32_t index = (uint32_t)c.tag;
    if (c.status > ACCEL_COMPLETION_PARTIAL_ERROR || c.end_ns < c.start_ns) {
        rt_violation(rt);
        return -EINVAL;
    }
    uint64_t expected = (c.tag & ~(uint64_t)UINT32_MAX) | 1;
    if (index >= rt->max_inflight ||
        !atomic_compare_exchange_strong_explicit(&rt->slots[index].word, &expected, expected & ~(uint64_t)1, memory_order_acq_rel,
                                                 memory_order_relaxed)) {
        rt_violation(rt);
        return -ESTALE;
    }
    rt_publish(rt, &c);
    return 0;
}

/* For a tag that is not in flight any more the entry is one that nobody asks for. */
void rt_started(void *core, uint64_t tag, uint64_t start_ns)
{
    isle_rt *rt = core;
    uint32_t index = (uint32_t)tag;
    if (index >= rt->max_inflight || atomic_load_explicit(&rt->slots[index].word, memory_order_relaxed) != ((tag & ~(uint64_t)UINT32_MAX) | 1)) {
        rt_violation(rt);
        return;
    }
    isle_started *s = &rt->started[index];
    __atomic_store_n(&s->start_ns, start_ns, __ATOMIC_RELAXED);
    __atomic_store_n(&s->tag, tag, __ATOMIC_RELEASE);
}

uint64_t rt_now(void *core)
{
    (void)core;
    return clock_ns();
}

static const char *const level_names[] = {"error", "warn", "info", "debug"};

/* Several threads may keep lines at a time; the core takes none that was overwritten while it read. */
static void keep(isle_channel_header *h, uint32_t level, const char *text, size_t length)
{
    uint64_t n = __atomic_fetch_add(&h->log_lines, 1, __ATOMIC_RELAXED);
    isle_log_line *line = &h->log[n % ISLE_LOG_LINES];
    __atomic_store_n(&line->seq, 2 * n + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    line->ns = clock_ns();
    line->level = level;
    line->length = (uint32_t)(length < ISLE_LOG_TEXT ? length : ISLE_LOG_TEXT);
    memcpy(line->text, text, line->length);
    __atomic_store_n(&line->seq, 2 * n + 2, __ATOMIC_RELEASE);
}

/* For the failure of an opening. */
static void keep_error(isle_rt *rt, const char *text, size_t length)
{
    size_t n = length < sizeof rt->open_error - 1 ? length : sizeof rt->open_error - 1;
    pthread_mutex_lock(&rt->error_lock);
    memcpy(rt->open_error, text, n);
    rt->open_error[n] = 0;
    pthread_mutex_unlock(&rt->error_lock);
}

/* One write a line, so that lines of several threads do not mix; control characters cannot forge a second line. */
void rt_log(void *core, uint32_t level, const char *text)
{
    isle_rt *rt = core;
    char line[1024];
    const char *name = rt->driver ? rt->driver->name : "driver";
    int at = snprintf(line, sizeof line, "%s %.16s: ", level_names[level > ISLE_LOG_DEBUG ? ISLE_LOG_DEBUG : level], name);
    size_t n = (size_t)at;
    for (const unsigned char *p = (const unsigned char *)(text ? text : ""); *p && n + 6 < sizeof line; p++) {
        if (*p >= 0x20 && *p != 0x7f)
            line[n++] = (char)*p;
        else
            n += (size_t)snprintf(line + n, sizeof line - n, "\\x%02x", *p);
    }
    if (level <= ISLE_LOG_WARN)
        keep(rt->header, level, line + at, n - (size_t)at);
    if (level == ISLE_LOG_ERROR && atomic_load(&rt->opening))
        keep_error(rt, line + at, n - (size_t)at);
    line[n++] = '\n';
    if (write(STDERR_FILENO, line, n) < 0)
        return; /* nobody to tell */
}
