#define _GNU_SOURCE
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define HUGE (2u << 20)

/* Without the seals the segment could shrink under us and every access would be a SIGBUS. */
static int check_descriptor(int fd, uint64_t size)
{
    struct stat s;
    int seals = fcntl(fd, F_GET_SEALS);
    if (seals < 0 || (seals & (F_SEAL_SHRINK | F_SEAL_GROW)) != (F_SEAL_SHRINK | F_SEAL_GROW))
        return -EPERM;
    if (fstat(fd, &s) || s.st_size < 0 || (uint64_t)s.st_size != size || !size || (size & 4095))
        return -EINVAL;
    return 0;
}

/* Large segments start at a 2 MiB boundary, so that alignment in the segment is alignment in memory. */
static void *map(int fd, uint64_t size, bool writable)
{
    int protection = PROT_READ | (writable ? PROT_WRITE : 0);
    if (size < HUGE) {
        void *p = mmap(NULL, size, protection, MAP_SHARED, fd, 0);
        return p == MAP_FAILED ? NULL : p;
    }
    uint8_t *room = mmap(NULL, size + HUGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        return NULL;
    uint8_t *at = (uint8_t *)(((uintptr_t)room + HUGE - 1) & ~(uintptr_t)(HUGE - 1));
    void *p = mmap(at, size, protection, MAP_SHARED | MAP_FIXED, fd, 0);
    if (at > room)
        munmap(room, (size_t)(at - room));
    munmap(at + size, (size_t)(room + HUGE - at));
    if (p != MAP_FAILED)
        return p;
    munmap(at, size);
    return NULL;
}

static bool part_ok(const isle_channel_header *h, uint64_t offset, uint64_t bytes)
{
    return !(offset & 63) && offset >= sizeof *h && offset <= h->total_size && bytes <= h->total_size - offset;
}

static int check_channel(const isle_channel_header *h, uint64_t size)
{
    uint32_t capacity = h->request_capacity;
    if (h->magic != ISLE_CHANNEL_MAGIC || h->abi != ISLE_CHANNEL_ABI || h->total_size != size)
        return -EPROTO;
    if (!capacity || (capacity & (capacity - 1)) || !part_ok(h, h->request_offset, (uint64_t)capacity * sizeof(isle_request)) ||
        !part_ok(h, h->completion_offset, (uint64_t)h->completion_capacity * sizeof(isle_completion_slot)) ||
        !part_ok(h, h->control_request_offset, ISLE_CONTROL_BYTES) || !part_ok(h, h->control_response_offset, ISLE_CONTROL_BYTES) ||
        !part_ok(h, h->crash_offset, ISLE_CRASH_BYTES) ||
        !part_ok(h, h->started_offset, (uint64_t)h->max_inflight * sizeof(isle_started)))
        return -EINVAL;
    return 0;
}

int channel_receive(struct host *h, char *why, uint32_t why_size)
{
    isle_segment_request q;
    int fd;
    int rc = core_receive(h->socket, &q, sizeof q, &fd);
    if (rc) {
        snprintf(why, why_size, "the core sent no channel over the socket: %s", strerror(-rc));
        return rc;
    }
    rc = q.segment || !q.writable || q.size < sizeof(isle_channel_header) ? -EINVAL : check_descriptor(fd, q.size);
    isle_channel_header *c = rc ? NULL : map(fd, q.size, true);
    close(fd);
    if (!rc && !c)
        rc = -ENOMEM;
    if (!rc)
        rc = check_channel(c, q.size);
    if (rc) {
        snprintf(why, why_size, "the channel segment is not usable: %s", strerror(-rc));
        return rc;
    }
    uint8_t *base = (uint8_t *)c;
    h->channel = c;
    h->control_request = base + c->control_request_offset;
    h->control_response = base + c->control_response_offset;
    h->requests = (isle_request *)(void *)(base + c->request_offset);
    h->request_mask = c->request_capacity - 1;
    h->spin_us = c->spin_us > 10000 ? 10000 : c->spin_us;
    h->crash = (char *)base + c->crash_offset;
    return 0;
}

IoResultCode channel_add_segment(struct host *h, const isle_segment_request *q)
{
    isle_segment_request sent;
    int fd;
    int rc = core_receive(h->socket, &sent, sizeof sent, &fd);
    if (rc)
        return rc;
    if (memcmp(&sent, q, sizeof sent) || q->writable > 1)
        rc = -EPROTO;
    else if (h->segment_count == HOST_SEGMENTS)
        rc = -ENOSPC;
    else
        rc = check_descriptor(fd, q->size);
    /* The command segment and the agent's page are the core's: never writable here, whatever the message says. */
    bool writable = q->writable && q->segment != ISLE_SEGMENT_COMMANDS && q->segment != ISLE_SEGMENT_AGENT;
    void *p = rc ? NULL : map(fd, q->size, writable);
    close(fd);
    if (rc)
        return rc;
    if (!p)
        return -ENOMEM;
    rc = isle_rt_add_segment(h->rt, q->segment, p, q->size, writable);
    if (rc) {
        munmap(p, q->size);
        return rc;
    }
    uint32_t i = 0;
    while (i < h->segment_count && h->segments[i].id)
        i++;
    if (i == h->segment_count)
        h->segment_count++;
    h->segments[i] = (struct host_segment){q->segment, p, q->size};
    return 0;
}

void channel_unmap_segment(struct host *h, uint32_t id)
{
    for (uint32_t i = 0; i < h->segment_count; i++) {
        if (h->segments[i].id != id)
            continue;
        munmap(h->segments[i].pointer, h->segments[i].size);
        h->segments[i] = (struct host_segment){0};
    }
}
