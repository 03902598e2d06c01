/* Pages of device memory with errors, and pages that lie on the CPU's side. A bit a page in each; under device->lock. */
#define _GNU_SOURCE
#include "soft.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint64_t pages_of(const struct memory *m)
{
    return m->size / SOFT_PAGE;
}

static bool is_set(const uint64_t *bits, uint64_t page)
{
    return bits && (bits[page / 64] >> page % 64 & 1);
}

/* false without memory for the bits */
static bool set(const struct memory *m, uint64_t **bits, uint64_t page)
{
    if (!*bits)
        *bits = calloc((pages_of(m) + 63) / 64, sizeof **bits);
    if (!*bits)
        return false;
    (*bits)[page / 64] |= 1ull << page % 64;
    return true;
}

static void clear(uint64_t *bits, uint64_t page)
{
    bits[page / 64] &= ~(1ull << page % 64);
}

uint64_t pages_capacity(const struct device *d)
{
    uint64_t gone = d->retired_pages * SOFT_PAGE;
    return gone < d->settings.memory_bytes ? d->settings.memory_bytes - gone : 0;
}

/* Room for a page on the device, or none; counts it. */
static bool take_room(struct device *d)
{
    uint64_t capacity = pages_capacity(d);
    if (d->memory_used > capacity || capacity - d->memory_used < SOFT_PAGE)
        return false;
    d->memory_used += SOFT_PAGE;
    return true;
}

static void bring_back(struct device *d, struct memory *m, uint64_t page)
{
    clear(m->on_cpu, page);
    atomic_fetch_sub(&m->on_cpu_count, 1);
    atomic_fetch_sub(&d->pages_on_cpu, 1);
}

/* Work reaches pages on the CPU's side too; where there is room they move to it. */
static void fault_in(struct exec *x, struct memory *m, uint64_t first, uint64_t end)
{
    for (uint64_t page = first; page < end; page++) {
        if (!is_set(m->on_cpu, page))
            continue;
        x->page_faults++;
        if (take_room(x->device))
            bring_back(x->device, m, page);
    }
}

static int touch(struct exec *x, struct memory *m, const isle_binding *b)
{
    struct device *d = x->device;
    uint64_t first = b->offset / SOFT_PAGE, end = (b->offset + b->length + SOFT_PAGE - 1) / SOFT_PAGE;
    int rc = 0;
    pthread_mutex_lock(&d->lock);
    for (uint64_t page = first; page < end && m->faulty && !rc; page++)
        rc = is_set(m->faulty, page) ? -EHWPOISON : 0;
    if (!rc && m->on_cpu)
        fault_in(x, m, first, end);
    pthread_mutex_unlock(&d->lock);
    return rc;
}

int pages_touch(struct exec *x)
{
    struct device *d = x->device;
    int rc = 0;
    if (!atomic_load_explicit(&d->faulty_pages, memory_order_relaxed) && !atomic_load_explicit(&d->pages_on_cpu, memory_order_relaxed))
        return 0;
    for (uint32_t i = 0; i < x->command->binding_count && !rc; i++) {
        const isle_binding *b = &x->bindings[i];
        struct memory *m = b->access == ISLE_ACCESS_PROGRAM ? NULL : memory_held(d, b->object);
        if (m && (atomic_load(&m->faulty_count) || atomic_load(&m->on_cpu_count)))
            rc = touch(x, m, b);
    }
    return rc;
}

int pages_poison(struct exec *x, uint64_t offset)
{
    struct device *d = x->device;
    const isle_binding *b = x->bindings, *end = b + x->command->binding_count;
    while (b < end && (b->access == ISLE_ACCESS_PROGRAM || !b->length))
        b++;
    atomic_fetch_add(&d->ecc_uncorrectable, 1);
    atomic_store(&d->error_code, 48); /* the number that NVIDIA's drivers give to a double bit error */
    if (b == end)
        return 0;
    struct memory *m = memory_held(d, b->object);
    uint64_t page = (b->offset + (offset < b->length ? offset : b->length - 1)) / SOFT_PAGE;
    pthread_mutex_lock(&d->lock);
    if (!is_set(m->faulty, page) && set(m, &m->faulty, page)) {
        atomic_fetch_add(&m->faulty_count, 1);
        atomic_fetch_add(&d->faulty_pages, 1);
    }
    pthread_mutex_unlock(&d->lock);
    return -EHWPOISON;
}

static void retire_page(struct device *d, struct memory *m, uint64_t page)
{
    clear(m->faulty, page);
    atomic_fetch_sub(&m->faulty_count, 1);
    atomic_fetch_sub(&d->faulty_pages, 1);
    d->retired_pages++;
}

uint64_t pages_forget(struct device *d, struct memory *m)
{
    uint64_t away = atomic_load(&m->on_cpu_count);
    for (uint64_t page = 0; m->faulty && page < pages_of(m); page++)
        if (is_set(m->faulty, page))
            retire_page(d, m, page);
    atomic_fetch_sub(&d->pages_on_cpu, away);
    atomic_store(&m->on_cpu_count, 0);
    free(m->faulty);
    free(m->on_cpu);
    m->faulty = m->on_cpu = NULL;
    return away * SOFT_PAGE;
}

static struct memory *memory_at(struct device *d, uint32_t index)
{
    struct memory *chunk = index < SOFT_MAX_MEMORIES ? atomic_load(&d->memories[index / SOFT_CHUNK]) : NULL;
    return chunk ? &chunk[index % SOFT_CHUNK] : NULL;
}

static IoResultCode faulty(void *ctx, uint32_t index, AccelMemHandle *out_memory, uint64_t *out_offset, uint64_t *out_length)
{
    struct device *d = ctx;
    IoResultCode rc = -ENOENT;
    if (!out_memory || !out_offset || !out_length)
        return -EINVAL;
    pthread_mutex_lock(&d->lock);
    struct memory *m;
    for (uint32_t i = 0; rc && atomic_load(&d->faulty_pages) && (m = memory_at(d, i)); i++) {
        for (uint64_t page = 0; rc && m->faulty && page < pages_of(m); page++) {
            if (!is_set(m->faulty, page) || index--)
                continue;
            *out_memory = atomic_load(&m->handle);
            *out_offset = page * SOFT_PAGE;
            *out_length = SOFT_PAGE;
            rc = 0;
        }
    }
    pthread_mutex_unlock(&d->lock);
    return rc;
}

static IoResultCode retire(void *ctx, AccelMemHandle memory, uint64_t offset, uint64_t length)
{
    struct device *d = ctx;
    struct memory *m = memory_of(d, memory);
    if (!m)
        return -ESTALE;
    if (!length || offset > m->size || length > m->size - offset)
        return -EINVAL;
    IoResultCode rc = -EINVAL;
    pthread_mutex_lock(&d->lock);
    for (uint64_t page = offset / SOFT_PAGE; m->faulty && page <= (offset + length - 1) / SOFT_PAGE; page++) {
        if (!is_set(m->faulty, page))
            continue;
        memset(m->pointer + page * SOFT_PAGE, 0, SOFT_PAGE);
        retire_page(d, m, page);
        rc = 0;
    }
    pthread_mutex_unlock(&d->lock);
    return rc;
}

static IoResultCode retired(void *ctx, uint64_t *out_pages)
{
    struct device *d = ctx;
    if (!out_pages)
        return -EINVAL;
    pthread_mutex_lock(&d->lock);
    *out_pages = d->retired_pages;
    pthread_mutex_unlock(&d->lock);
    return 0;
}

const isle_page_retirement_vtable soft_page_retirement = {.vtable_size = sizeof soft_page_retirement,
                                                          .version = ISLE_KABI_VERSION,
                                                          .page_bytes = SOFT_PAGE,
                                                          .faulty = faulty,
                                                          .retire = retire,
                                                          .retired = retired};

/* The context's memory that an address of soft_map lies in; neighbours in a list are often neighbours in memory. */
static struct memory *find(struct device *d, AccelContextHandle context, uint64_t vaddr, struct memory *guess)
{
    struct memory *m = guess;
    for (uint32_t i = 0; m; m = memory_at(d, i++)) {
        uint64_t base = (uint64_t)(uintptr_t)m->pointer;
        if (atomic_load(&m->handle) && m->context == context && m->shared && vaddr >= base && vaddr - base < m->size)
            return m;
    }
    return NULL;
}

static int16_t move(struct device *d, struct memory *m, uint64_t page, bool to_device, bool force)
{
    bool away = is_set(m->on_cpu, page);
    if (away != to_device)
        return 0; /* is there */
    if (to_device) {
        if (!take_room(d))
            return -ENOMEM;
        bring_back(d, m, page);
        return 0;
    }
    if (m->pinned && !force)
        return -EBUSY;
    if (!set(m, &m->on_cpu, page))
        return -ENOMEM;
    atomic_fetch_add(&m->on_cpu_count, 1);
    atomic_fetch_add(&d->pages_on_cpu, 1);
    d->memory_used -= SOFT_PAGE;
    return 0;
}

IoResultCode soft_migrate_pages(void *ctx, AccelContextHandle context, const AccelMigrationEntry *pages, uint32_t page_count,
                                MigrationFlags flags)
{
    struct device *d = ctx;
    if (!context_of(d, context))
        return -ESTALE;
    if (!pages && page_count)
        return -EINVAL;
    AccelMigrationEntry *entries = (AccelMigrationEntry *)(uintptr_t)pages; /* the result is the driver's to write, const or not */
    struct memory *guess = memory_at(d, 0);
    pthread_mutex_lock(&d->lock);
    for (uint32_t i = 0; i < page_count; i++) {
        struct memory *m = find(d, context, entries[i].vaddr, guess);
        uint64_t offset = m ? entries[i].vaddr - (uint64_t)(uintptr_t)m->pointer : 0;
        entries[i].result = !m                      ? -ENOENT
                            : offset % SOFT_PAGE    ? -EINVAL
                                                    : move(d, m, offset / SOFT_PAGE, entries[i].target_location == 1, flags & MIGRATION_FORCE);
        guess = m ? m : guess;
    }
    pthread_mutex_unlock(&d->lock);
    return 0;
}
