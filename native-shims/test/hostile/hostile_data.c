/* What a hostile host does to requests, completions, segments and whatever else it shares with the core. */
#define _GNU_SOURCE
#include "hostile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "futex.h"

static void tell(uint64_t tag, uint32_t status, int32_t detail)
{
    isle_channel_header *c = h.channel;
    isle_completion_slot *ring = (isle_completion_slot *)(void *)((uint8_t *)c + h.layout.completion_offset);
    isle_completion_slot *s = &ring[h.told & (h.layout.completion_capacity - 1)];
    uint64_t now = clock_ns();
    s->tag = tag;
    s->status = status;
    s->detail = detail;
    s->start_ns = s->end_ns = now;
    s->busy_ns = 0;
    __atomic_store_n(&s->seq, ++h.told, __ATOMIC_RELEASE);
    if (h.doorbell && !is("never-rings"))
        bell_ring_for(&h.doorbell->bell, h.agent ? &h.agent->sleeping : NULL);
}

static int attempt(long result)
{
    return result < 0 ? -errno : 0;
}

/* Tries to take away or to write what the core relies on; 0 when all was refused, else which attempt worked. */
static int spoil_segments(void)
{
    for (uint32_t i = 0; i < h.fd_count; i++) {
        if (!attempt(ftruncate(h.fds[i], 0)))
            return 1;
        if (!attempt(ftruncate(h.fds[i], (off_t)h.sizes[i] * 2)))
            return 2;
        if (!attempt(fcntl(h.fds[i], F_ADD_SEALS, F_SEAL_WRITE)))
            return 3;
    }
    /* the command segment came second */
    void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, h.fds[1], 0);
    if (p != MAP_FAILED)
        return 4;
    p = mmap(NULL, 4096, PROT_READ, MAP_SHARED, h.fds[1], 0);
    if (p == MAP_FAILED || !mprotect(p, 4096, PROT_READ | PROT_WRITE))
        return 5;
    if (!attempt(pwrite(h.fds[1], "spoilt", 6, 0)))
        return 6;
    if (!attempt(fallocate(h.fds[1], FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096)))
        return 7;
    return 0;
}

/* Tries to write the word that says whether the agent sleeps; 0 when all was refused, else which attempt worked. */
static int hold_awake(void)
{
    char name[32];
    snprintf(name, sizeof name, "/proc/self/fd/%d", h.agent_fd);
    int fd = open(name, O_RDWR | O_CLOEXEC);
    const int fds[] = {h.agent_fd, fd < 0 ? h.agent_fd : fd};
    for (int i = 0; i < 2; i++) {
        if (mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fds[i], 0) != MAP_FAILED)
            return 1;
        if (!attempt(pwrite(fds[i], "\0\0\0", 4, 0)))
            return 2;
        if (!attempt(fallocate(fds[i], FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096)))
            return 3;
        if (!attempt(fallocate(fds[i], FALLOC_FL_ZERO_RANGE, 0, 4096)) || !attempt(ftruncate(fds[i], 0)))
            return 4;
    }
    void *page = (void *)(uintptr_t)h.agent;
    if (!mprotect(page, 4096, PROT_READ | PROT_WRITE) || !madvise(page, 4096, MADV_REMOVE))
        return 5;
    /* as an argument of a system call that writes */
    int pipes[2];
    if (!pipe(pipes) && write(pipes[1], "\0\0\0", 4) == 4 && read(pipes[0], page, 4) >= 0)
        return 6;
    return 0;
}

static void send_descriptors(void)
{
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int) * 16)];
    } control = {.head = {.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int) * 16)}};
    char junk[512] = "junk";
    struct iovec part = {junk, sizeof junk};
    for (int i = 0; i < 16; i++)
        memcpy(CMSG_DATA(&control.head) + i * sizeof(int), &(int){STDERR_FILENO}, sizeof(int));
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    while (sendmsg(h.socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL) > 0)
        ;
}

/* What becomes of a request. */
static void take(const isle_request *r)
{
    isle_channel_header *c = h.channel;
    if (is("wrong-tags"))
        for (uint32_t i = 0; i < 64; i++)
            tell(next_random(), 0, 0);
    else if (is("index-out-of-range"))
        for (uint32_t i = 0; i < 64; i++)
            tell(r->tag | 0x7fff0000u | i << 8, 0, 0);
    else if (is("old-generation"))
        for (uint32_t i = 1; i < 64; i++)
            tell(r->tag - ((uint64_t)i << 32), 0, 0);
    else if (is("replay"))
        for (uint32_t i = 0; i < 64; i++)
            tell(r->tag, 0, 0);
    else if (is("wrong-status"))
        tell(r->tag, (uint32_t)next_random() | 8, INT32_MIN);
    else if (is("truncate"))
        tell(r->tag, 0, spoil_segments());
    else if (is("holds-awake"))
        tell(r->tag, 0, hold_awake());
    else if (is("time-travel")) {
        isle_started *table = (isle_started *)(void *)((uint8_t *)c + h.layout.started_offset);
        for (uint32_t i = 0; i < h.layout.max_inflight; i++)
            table[i] = (isle_started){next_random(), next_random()};
        table[(uint32_t)r->tag % h.layout.max_inflight] = (isle_started){r->tag, UINT64_MAX / 2};
        tell(r->tag, 0, 0);
    } else
        tell(r->tag, 0, 0);
    if (is("closes-socket"))
        close(h.socket);
    if (is("sends-descriptors"))
        send_descriptors();
    if (is("says-it-crashed"))
        __atomic_store_n(&c->host_state, 0xdeadbeefu, __ATOMIC_RELEASE);
    if (is("reads-ahead"))
        __atomic_store_n(&c->requests_taken, UINT64_MAX / 3, __ATOMIC_RELEASE);
    if (is("stops-reading") || is("lies-about-heartbeat") || is("reads-ahead"))
        h.quiet = true;
}

/* Behind the header's first group of words, which is what makes it a channel at all, everything may be noise. */
void *hostile_noise(void *arg)
{
    uint8_t *from = (uint8_t *)h.channel;
    (void)arg;
    for (;;) {
        if (is("garbage"))
            for (uint64_t at = 128; at + 8 <= h.size; at += 8)
                if (at < 384 || at >= 640) /* the words of a control call: an answer is to be seen to be one */
                    __atomic_store_n((uint64_t *)(void *)(from + at), next_random(), __ATOMIC_RELAXED);
        if (is("garbage-on-the-layout"))
            for (uint64_t at = 0; at < 128; at += 8)
                __atomic_store_n((uint64_t *)(void *)(from + at), next_random(), __ATOMIC_RELAXED);
        if (is("lies-about-heartbeat"))
            __atomic_fetch_add(&h.channel->heartbeat, 1, __ATOMIC_RELAXED);
        if (is("rings-without-end") && h.doorbell)
            bell_ring_for(&h.doorbell->bell, NULL);
        if (is("wakes-without-ringing") && h.doorbell)
            futex_wake_all(&h.doorbell->bell);
        if (is("floods-output") && write(STDERR_FILENO, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", 64) < 0)
            return NULL;
        if (is("floods-lines") && write(STDERR_FILENO, "one line\nand another\n", 21) < 0)
            return NULL;
    }
}

void *hostile_completions(void *arg)
{
    (void)arg;
    for (;;) {
        uint64_t next = clock_ns() + 500;
        tell(next_random(), 0, 0);
        while (clock_ns() < next)
            ;
    }
}

bool hostile_makes_noise(void)
{
    return is("garbage") || is("garbage-on-the-layout") || is("lies-about-heartbeat") || is("rings-without-end") ||
           is("wakes-without-ringing") || is("floods-output") || is("floods-lines");
}

void *hostile_data(void *arg)
{
    isle_channel_header *c = h.channel;
    isle_request *ring = (isle_request *)(void *)((uint8_t *)c + h.layout.request_offset);
    uint32_t mask = h.layout.request_capacity - 1;
    (void)arg;
    for (;;) {
        isle_request *slot = &ring[h.taken & mask];
        if (h.quiet || __atomic_load_n(&slot->seq, __ATOMIC_ACQUIRE) != h.taken + 1) {
            usleep(50);
            continue;
        }
        isle_request r = *slot;
        h.taken++;
        __atomic_store_n(&c->requests_taken, h.taken, __ATOMIC_RELEASE);
        if (r.kind == ISLE_REQUEST_SUBMIT)
            take(&r);
    }
    return NULL;
}
