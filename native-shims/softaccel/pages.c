/* Pages of device memory with errors, and what becomes of work that names them or pages on the CPU's side. */
#define _GNU_SOURCE
#include "pages.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "handles.h"

uint64_t pages_capacity(const struct device *d)
{
    uint64_t gone = d->retired_pages * SOFT_PAGE;
    return gone < d->settings.memory_bytes ? d->settings.memory_bytes - gone : 0;
}

bool page_set(const struct memory *m, uint64_t **bits, uint64_t page)
{
    if (!*bits)
        *bits = calloc((page_count(m) + 63) / 64, sizeof **bits);
    if (!*bits)
        return false;
    (*bits)[page / 64] |= 1ull << page % 64;
    return true;
}

bool page_take_room(struct device *d)
{
    uint64_t capacity = pages_capacity(d);
    if (d->memory_used > capacity || capacity - d->memory_used < SOFT_PAGE)
        return false;
    d->memory_used += SOFT_PAGE;
    return true;
}

void page_bring_back(struct device *d, struct memory *m, uint64_t page)
{
    page_clear(m->on_cpu, page);
    atomic_fetch_sub(&m->on_cpu_count, 1);
    atomic_fetch_sub(&d->pages_on_cpu, 1);
}

/* Work reaches pages on the CPU's side too; where there is room they move to it. */
static void fault_in(struct exec *x, struct memory *m, uint64_t first, uint64_t end)
{
    for (uint64_t page = first; page < end; page++) {
        if (!page_is_set(m->on_cpu, page))
            continue;
        x->page_faults++;
        if (page_take_room(x->device))
            page_bring_back(x->device, m, page);
    }
}

static int touch(struct exec *x, struct memory *m, const isle_binding *b)
{
    struct device *d = x->device;
    uint64_t first = b->offset / SOFT_PAGE, end = (b->offset + b->length + SOFT_PAGE - 1) / SOFT_PAGE;
    int rc = 0;
    pthread_mutex_lock(&d->lock);
    for (uint64_t page = first; page < end && m->faulty && !rc; page++)
        rc = page_is_set(m->faulty, page) ? -EHWPOISON : 0;
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
    if (!page_is_set(m->faulty, page) && page_set(m, &m->faulty, page)) {
        atomic_fetch_add(&m->faulty_count, 1);
        atomic_fetch_add(&d->faulty_pages, 1);
    }
    pthread_mutex_unlock(&d->lock);
    return -EHWPOISON;
}

static void retire_page(struct device *d, struct memory *m, uint64_t page)
{
    page_clear(m->faulty, page);
    atomic_fetch_sub(&m->faulty_count, 1);
    atomic_fetch_sub(&d->faulty_pages, 1);
    d->retired_pages++;
}

uint64_t pages_forget(struct device *d, struct memory *m)
{
    uint64_t away = atomic_load(&m->on_cpu_count);
    for (uint64_t page = 0; m->faulty && page < page_count(m); page++)
        if (page_is_set(m->faulty, page))
            retire_page(d, m, page);
    atomic_fetch_sub(&d->pages_on_cpu, away);
    atomic_store(&m->on_cpu_count, 0);
    free(m->faulty);
    free(m->on_cpu);
    m->faulty = m->on_cpu = NULL;
    return away * SOFT_PAGE;
}

static IoResultCode faulty(void *ctx, uint32_t index, AccelMemHandle *out_memory, uint64_t *out_offset, uint64_t *out_length)
{
    struct device *d = ctx;
    IoResultCode rc = -ENOENT;
    if (!out_memory || !out_offset || !out_length)
        return -EINVAL;
    pthread_mutex_lock(&d->lock);
    struct memory *m;
    for (uint32_t i = 0; rc && atomic_load(&d->faulty_pages) && (m = memory_by_index(d, i)); i++) {
        for (uint64_t page = 0; rc && m->faulty && page < page_count(m); page++) {
            if (!page_is_set(m->faulty, page) || index--)
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
        if (!page_is_set(m->faulty, page))
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
