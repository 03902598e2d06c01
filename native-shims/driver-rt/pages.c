/* Pages: those with errors, and those on their way between CPU and device. The core names memory by its ids, the driver by handles. */
#include <errno.h>

#include "control.h"

IoResultCode control_faulty_page(struct call *c)
{
    isle_rt *rt = c->rt;
    AccelMemHandle handle = 0;
    isle_page_range r = {0};
    if (!rt->retirement_vt.faulty)
        return IO_NOT_SUPPORTED;
    IoResultCode rc = rt->retirement_vt.faulty(rt->device, call_u32(c), &handle, &r.offset, &r.length);
    if (rc < 0)
        return rc;
    r.memory = table_find(&rt->memories, handle);
    struct object_view view;
    if (!r.memory || table_get(&rt->memories, r.memory, &view) || !r.length || r.offset > view.size || r.length > view.size - r.offset) {
        rt_log(rt, ISLE_LOG_ERROR, "the driver named a faulty page outside of the core's memory");
        return -EPROTO;
    }
    memcpy(c->out, &r, sizeof r);
    return 0;
}

IoResultCode control_retire_pages(struct call *c)
{
    isle_rt *rt = c->rt;
    isle_page_range r;
    struct object_view view;
    memcpy(&r, c->body, sizeof r);
    if (!rt->retirement_vt.retire)
        return IO_NOT_SUPPORTED;
    IoResultCode rc = table_get(&rt->memories, r.memory, &view);
    if (rc)
        return rc;
    if (!r.length || r.offset > view.size || r.length > view.size - r.offset)
        return -EINVAL;
    return rt->retirement_vt.retire(rt->device, view.handle, r.offset, r.length);
}

IoResultCode control_retired_pages(struct call *c)
{
    isle_rt *rt = c->rt;
    return rt->retirement_vt.retired ? rt->retirement_vt.retired(rt->device, (uint64_t *)(void *)c->out) : IO_NOT_SUPPORTED;
}

/* The driver's address of a page, or why it has none. */
static int32_t address_of(isle_rt *rt, uint64_t context, const isle_page *page, uint64_t *vaddr)
{
    struct object_view view;
    if (table_get(&rt->memories, page->memory, &view) || view.owner != context)
        return -ENOENT;
    if (page->offset >= view.size)
        return -EINVAL;
    return rt->base.map_device_memory(rt->device, view.handle, page->offset, 1, vaddr);
}

IoResultCode control_migrate_pages(struct call *c)
{
    AccelMigrationEntry entries[ISLE_MIGRATE_MAX];
    uint16_t place[ISLE_MIGRATE_MAX]; /* of an entry among the pages */
    isle_rt *rt = c->rt;
    isle_migrate_request q;
    struct object_view view;
    memcpy(&q, c->body, sizeof q);
    uint32_t direction = q.flags & (MIGRATION_TO_DEVICE | MIGRATION_TO_CPU);
    if (q.count > ISLE_MIGRATE_MAX || c->length != sizeof q + q.count * sizeof(isle_page) ||
        (direction != MIGRATION_TO_DEVICE && direction != MIGRATION_TO_CPU) ||
        (q.flags & ~(direction | MIGRATION_FORCE | MIGRATION_PREFETCH)))
        return -EINVAL;
    if (!rt->base.migrate_pages)
        return IO_NOT_SUPPORTED;
    IoResultCode rc = table_get(&rt->contexts, q.context, &view);
    if (rc)
        return rc;
    int32_t *results = (int32_t *)(void *)c->out;
    uint8_t target = direction == MIGRATION_TO_DEVICE;
    uint32_t count = 0;
    for (uint32_t i = 0; i < q.count; i++) {
        isle_page page;
        uint64_t vaddr = 0;
        memcpy(&page, c->body + sizeof q + i * sizeof page, sizeof page);
        results[i] = address_of(rt, q.context, &page, &vaddr);
        if (results[i] < 0)
            continue;
        place[count] = (uint16_t)i;
        entries[count++] = (AccelMigrationEntry){.vaddr = vaddr, .current_location = !target, .target_location = target};
    }
    rc = count ? rt->base.migrate_pages(rt->device, view.handle, entries, count, q.flags) : 0;
    if (rc < 0)
        return rc;
    for (uint32_t i = 0; i < count; i++)
        results[place[i]] = entries[i].result > 0 ? -entries[i].result : entries[i].result;
    c->out_length = q.count * (uint32_t)sizeof *results;
    return 0;
}
