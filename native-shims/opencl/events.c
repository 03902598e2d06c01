#include "events.h"

#include <stdlib.h>

#include "errors.h"
#include "handles.h"

struct memory *memory_at(const struct issue *x, uint32_t binding)
{
    return &object_held(x->device, x->bindings[binding].object)->memory;
}

/* Twice the room when it is full; what was in it stays. */
static bool grow(void **list, uint32_t count, uint32_t *room, size_t size)
{
    if (count < *room)
        return true;
    uint32_t more = *room ? 2 * *room : 4;
    void *p = realloc(*list, more * size);
    if (!p)
        return false;
    *list = p;
    *room = more;
    return true;
}

cl_event *next_event(struct issue *x)
{
    struct work *w = x->work;
    if (!grow((void **)&w->events, w->event_count, &w->event_room, sizeof *w->events))
        return NULL;
    return &w->events[w->event_count];
}

IoResultCode enqueued(struct issue *x, cl_int rc)
{
    if (!rc)
        x->work->event_count++;
    return cl_result(x->device, rc);
}

bool keep_part(struct issue *x, cl_mem part)
{
    struct work *w = x->work;
    if (!grow((void **)&w->parts, w->part_count, &w->part_room, sizeof *w->parts))
        return false;
    w->parts[w->part_count++] = part;
    return true;
}
