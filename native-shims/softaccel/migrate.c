/* Pages on their way between device and CPU. */
#include "migrate.h"

#include <errno.h>

#include "handles.h"
#include "pages.h"

/* The context's memory that an address of soft_map lies in; neighbours in a list are often neighbours in memory. */
static struct memory *find(struct device *d, AccelContextHandle context, uint64_t vaddr, struct memory *guess)
{
    struct memory *m = guess;
    for (uint32_t i = 0; m; m = memory_by_index(d, i++)) {
        uint64_t base = (uint64_t)(uintptr_t)m->pointer;
        if (atomic_load(&m->handle) && m->context == context && m->shared && vaddr >= base && vaddr - base < m->size)
            return m;
    }
    return NULL;
}

static int16_t move(struct device *d, struct memory *m, uint64_t page, bool to_device, bool force)
{
    bool away = page_is_set(m->on_cpu, page);
    if (away != to_device)
        return 0; /* is there */
    if (to_device) {
        if (!page_take_room(d))
            return -ENOMEM;
        page_bring_back(d, m, page);
        return 0;
    }
    if (m->pinned && !force)
        return -EBUSY;
    if (!page_set(m, &m->on_cpu, page))
        return -ENOMEM;
    atomic_fetch_add(&m->on_cpu_count, 1);
    atomic_fetch_add(&d->pages_on_cpu, 1);
    d->memory_used -= SOFT_PAGE;
    return 0;
}

IoResultCode soft_migrate_pages(void *ctx, AccelContextHandle context, const AccelMigrationEntry *pages, uint32_t count,
                                MigrationFlags flags)
{
    struct device *d = ctx;
    if (!context_of(d, context))
        return -ESTALE;
    if (!pages && count)
        return -EINVAL;
    AccelMigrationEntry *entries = (AccelMigrationEntry *)(uintptr_t)pages; /* the result is the driver's to write, const or not */
    struct memory *guess = memory_by_index(d, 0);
    pthread_mutex_lock(&d->lock);
    for (uint32_t i = 0; i < count; i++) {
        struct memory *m = find(d, context, entries[i].vaddr, guess);
        uint64_t offset = m ? entries[i].vaddr - (uint64_t)(uintptr_t)m->pointer : 0;
        bool to_device = entries[i].target_location == 1;
        entries[i].result = !m                   ? -ENOENT
                            : offset % SOFT_PAGE ? -EINVAL
                                                 : move(d, m, offset / SOFT_PAGE, to_device, flags & MIGRATION_FORCE);
        guess = m ? m : guess;
    }
    pthread_mutex_unlock(&d->lock);
    return 0;
}
