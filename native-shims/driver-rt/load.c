#define _GNU_SOURCE
#include "rt.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A library stays mapped when something else holds it or when it asked for that (NODELETE, thread-local destructors). */
static bool still_mapped(const char *path)
{
    void *again = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    if (again)
        dlclose(again);
    return again != NULL;
}

static IoResultCode take_channel(isle_rt *rt, void *channel, char *why, uint32_t why_size)
{
    isle_channel_header *h = channel;
    uint32_t capacity = h->completion_capacity;
    rt->header = h;
    rt->max_inflight = h->max_inflight;
    rt->completion_mask = capacity - 1;
    if (h->magic != ISLE_CHANNEL_MAGIC || h->abi != ISLE_CHANNEL_ABI) {
        rt_why(why, why_size, "channel: wrong magic or abi");
        return -EPROTO;
    }
    if (!rt->max_inflight || rt->max_inflight > RT_MAX_INFLIGHT || !capacity || (capacity & (capacity - 1)) ||
        capacity < rt->max_inflight) {
        rt_why(why, why_size, "channel: max_inflight %u (1 to %u) or completion_capacity %u (power of two, >= max_inflight) is wrong",
               rt->max_inflight, RT_MAX_INFLIGHT, capacity);
        return -EINVAL;
    }
    uint64_t bytes = (uint64_t)capacity * sizeof(isle_completion_slot);
    uint64_t at = h->completion_offset;
    if ((at & 63) || at < sizeof *h || at > h->total_size || bytes > h->total_size - at) {
        rt_why(why, why_size, "channel: the completion ring lies outside of the channel");
        return -EINVAL;
    }
    rt->completions = (isle_completion_slot *)(void *)((uint8_t *)channel + at);
    bytes = (uint64_t)rt->max_inflight * sizeof(isle_started);
    at = h->started_offset;
    if ((at & 63) || at < sizeof *h || at > h->total_size || bytes > h->total_size - at) {
        rt_why(why, why_size, "channel: the table of starts lies outside of the channel");
        return -EINVAL;
    }
    rt->started = (isle_started *)(void *)((uint8_t *)channel + at);
    return 0;
}

static IoResultCode take_library(isle_rt *rt, const char *path, char *why, uint32_t why_size)
{
    rt->path = realpath(path, NULL);
    if (!rt->path) {
        rt_why(why, why_size, "%s: %s", path, strerror(errno));
        return -errno;
    }
    rt->library = dlopen(rt->path, RTLD_NOW | RTLD_LOCAL);
    if (!rt->library) {
        rt_why(why, why_size, "%s", dlerror());
        return -ENOEXEC;
    }
    isle_driver_entry_fn entry;
    *(void **)&entry = dlsym(rt->library, ISLE_DRIVER_ENTRY);
    if (!entry) {
        rt_why(why, why_size, "%s: no symbol %s", path, ISLE_DRIVER_ENTRY);
        return -ENOEXEC;
    }
    const isle_driver *driver = entry(ISLE_KABI_VERSION);
    IoResultCode rc = negotiate_driver(driver, why, why_size);
    if (rc)
        return rc;
    rt->driver = driver;
    rc = driver->init(&rt->driver_state);
    if (rc < 0) {
        rt->driver = NULL;
        rt_why(why, why_size, "%s: init failed with %d", path, rc);
        return rc;
    }
    return 0;
}

static IoResultCode destroy(isle_rt *rt)
{
    bool mapped = false;
    if (rt->library) {
        dlclose(rt->library);
        mapped = still_mapped(rt->path);
    }
    inflight_free(rt);
    table_free(&rt->contexts);
    table_free(&rt->memories);
    table_free(&rt->programs);
    table_free(&rt->framebuffers);
    pthread_mutex_destroy(&rt->lock);
    pthread_mutex_destroy(&rt->error_lock);
    free(rt->path);
    free(rt);
    return mapped ? -EBUSY : 0;
}

RT_API IoResultCode isle_rt_load(const char *path, void *channel, char *why, uint32_t why_size, isle_rt **out)
{
    rt_why(why, why_size, "%s", "");
    isle_rt *rt = aligned_alloc(64, (sizeof *rt + 63) / 64 * 64);
    if (!rt) {
        rt_why(why, why_size, "no memory");
        return -ENOMEM;
    }
    memset(rt, 0, sizeof *rt);
    pthread_mutex_init(&rt->lock, NULL);
    pthread_mutex_init(&rt->error_lock, NULL);
    atomic_flag_clear(&rt->callback_lock);
    rt->trampoline = -1;
    lane_init(rt);
    rt->contexts.kind = ISLE_KIND_CONTEXT;
    rt->memories.kind = ISLE_KIND_MEMORY;
    rt->programs.kind = ISLE_KIND_PROGRAM;
    rt->framebuffers.kind = ISLE_KIND_FRAMEBUFFER;
    rt->core = (isle_core){.vtable_size = sizeof rt->core,
                           .version = ISLE_KABI_VERSION,
                           .core = rt,
                           .complete = rt_complete,
                           .log = rt_log,
                           .now_ns = rt_now,
                           .alloc_shared = rt_alloc_shared,
                           .free_shared = rt_free_shared,
                           .started = rt_started};
    IoResultCode rc = take_channel(rt, channel, why, why_size);
    if (!rc && (rc = inflight_init(rt)) < 0)
        rt_why(why, why_size, "no memory for %u submissions in flight", rt->max_inflight);
    if (!rc)
        rc = take_library(rt, path, why, why_size);
    if (rc) {
        destroy(rt);
        return rc;
    }
    *out = rt;
    return 0;
}

RT_API IoResultCode isle_rt_unload(isle_rt *rt)
{
    if (atomic_load(&rt->open))
        device_close(rt);
    rt->driver->fini(rt->driver_state);
    rt->driver = NULL;
    return destroy(rt);
}
