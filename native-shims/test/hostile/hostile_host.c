/*
 * hostile-host ABSTRACT-SOCKET-NAME FOLDER/MODE [options]: a driver host that speaks the wire well enough to be opened, and then does
 * what its MODE says. It stands where driver-host does; a test of the core drives it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "futex.h"
#include "isle_wire.h"

#define MOST 64u

static struct {
    const char *mode;
    int socket;
    isle_channel_header *channel;
    isle_channel_header layout; /* as it was at the start */
    uint64_t size;
    int fds[MOST];
    uint64_t sizes[MOST];
    uint32_t fd_count;
    isle_doorbell *doorbell;
    uint64_t taken;
    uint64_t told;
    uint64_t random;
    bool quiet; /* takes no more requests */
} h;

static bool is(const char *mode)
{
    return !strcmp(h.mode, mode);
}

static uint64_t next_random(void)
{
    uint64_t z = (h.random += 0x9e3779b97f4a7c15ull);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

static int connect_to(const char *name)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    size_t n = strlen(name);
    int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
    memcpy(to.sun_path + 1, name, n);
    return connect(fd, (struct sockaddr *)&to, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + n)) ? -1 : fd;
}

/* The next segment's descriptor; it is kept. */
static int receive(isle_segment_request *q)
{
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec part = {q, sizeof *q};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    if (recvmsg(h.socket, &message, 0) != sizeof *q || !CMSG_FIRSTHDR(&message))
        return -1;
    int fd;
    memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fd);
    if (h.fd_count < MOST) {
        h.sizes[h.fd_count] = q->size;
        h.fds[h.fd_count++] = fd;
    }
    return fd;
}

static void tell(uint64_t tag, uint32_t status, int32_t detail)
{
    isle_channel_header *c = h.channel;
    isle_completion_slot *s = (isle_completion_slot *)(void *)((uint8_t *)c + h.layout.completion_offset) + (h.told & (h.layout.completion_capacity - 1));
    uint64_t now = clock_ns();
    s->tag = tag;
    s->status = status;
    s->detail = detail;
    s->start_ns = s->end_ns = now;
    s->busy_ns = 0;
    __atomic_store_n(&s->seq, ++h.told, __ATOMIC_RELEASE);
    if (h.doorbell)
        bell_ring(&h.doorbell->bell, &h.doorbell->sleeping);
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
static void *noise(void *arg)
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
            bell_ring(&h.doorbell->bell, &h.doorbell->sleeping);
        if (is("floods-output") && write(STDERR_FILENO, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", 64) < 0)
            return NULL;
        if (is("floods-lines") && write(STDERR_FILENO, "one line\nand another\n", 21) < 0)
            return NULL;
    }
}

static bool makes_noise(void)
{
    return is("garbage") || is("garbage-on-the-layout") || is("lies-about-heartbeat") || is("rings-without-end") || is("floods-output") ||
           is("floods-lines");
}

static void *data(void *arg)
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

static uint32_t put(uint8_t *out, const void *body, uint32_t length)
{
    memcpy(out, body, length);
    return length;
}

static uint32_t open_answer(uint8_t *out)
{
    isle_open_response r = {.info = {.device_class = ACCEL_CLASS_GPU_COMPUTE,
                                     .compute_units = 1,
                                     .local_memory_bytes = 1 << 20,
                                     .max_contexts = 4,
                                     .max_cmd_buffer_size = 65536},
                            .interface_count = 2,
                            .interfaces = {{ISLE_IFACE_ACCEL_BASE, ISLE_KABI_VERSION, sizeof(AccelBaseVTable), 0xffff},
                                           {ISLE_IFACE_PROGRAMS, ISLE_KABI_VERSION, sizeof(isle_programs_vtable), 0xf}}};
    if (is("boasts")) {
        memset(&r.info, 0xff, sizeof r.info);
        r.interface_count = UINT32_MAX;
    }
    return put(out, &r, sizeof r);
}

static uint32_t alloc_answer(uint8_t *out)
{
    isle_alloc_response r = {.segment = 16, .offset = 0, .size = 4096};
    if (is("points-outside"))
        r = (isle_alloc_response){.segment = 16, .offset = UINT64_MAX - 4095, .size = 8192};
    if (is("points-elsewhere"))
        r = (isle_alloc_response){.segment = ISLE_SEGMENT_COMMANDS, .offset = 0, .size = 4096};
    return put(out, &r, sizeof r);
}

/* The body of an answer. */
static uint32_t answer(uint32_t op, const uint8_t *body, uint8_t *out, int32_t *result)
{
    *result = 0;
    if (op == ISLE_OP_ADD_SEGMENT) {
        isle_segment_request q;
        if (is("never-receives") && h.fd_count >= 3)
            return 0;
        int fd = receive(&q);
        if (q.segment == ISLE_SEGMENT_DOORBELL)
            h.doorbell = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    }
    if (op == ISLE_OP_HELLO)
        return put(out, &(isle_hello){.kabi_version = ISLE_KABI_VERSION, .name = "hostile", .version = "1"}, sizeof(isle_hello));
    if (op == ISLE_OP_PROBE) {
        *result = body[0] ? -ENOENT : 0;
        return *result ? 0 : put(out, &(isle_device_seed){.name = "0"}, sizeof(isle_device_seed));
    }
    if (op == ISLE_OP_OPEN)
        return open_answer(out);
    if (op == ISLE_OP_ALLOC)
        return alloc_answer(out);
    if (op == ISLE_OP_LOAD_PROGRAM)
        return put(out, &(isle_load_response){0}, sizeof(isle_load_response));
    if (op == ISLE_OP_DESCRIBE_PROGRAM) {
        *result = -ENOENT;
        return 0;
    }
    if (op == ISLE_OP_UTILIZATION && is("answers-noise")) {
        for (uint32_t i = 0; i < 48; i++)
            out[i] = (uint8_t)next_random();
        return 48;
    }
    return 0;
}

static void reply(uint64_t seq, const uint8_t *response, uint32_t length)
{
    isle_channel_header *c = h.channel;
    memcpy((uint8_t *)c + h.layout.control_response_offset, response, length < ISLE_CONTROL_BYTES ? length : ISLE_CONTROL_BYTES);
    c->reply_length = length;
    __atomic_store_n(&c->reply_seq, seq, __ATOMIC_RELEASE);
    bell_ring(&c->reply_bell, &c->reply_sleeping);
}

static void control(void)
{
    static uint8_t request[ISLE_CONTROL_BYTES], response[ISLE_CONTROL_BYTES];
    isle_channel_header *c = h.channel;
    uint64_t requests = h.layout.control_request_offset, seq = 0;
    bool opened = false;
    for (;;) {
        uint64_t now = __atomic_load_n(&c->control_seq, __ATOMIC_ACQUIRE);
        if (now == seq) {
            usleep(20);
            continue;
        }
        seq = now;
        memcpy(request, (uint8_t *)c + requests, sizeof request);
        isle_control_request q;
        memcpy(&q, request, sizeof q);
        isle_control_response r = {.seq = q.seq};
        r.length = answer(q.op, request + sizeof q, response + sizeof r, &r.result);
        uint32_t length = (uint32_t)sizeof r + r.length;
        if (opened && is("answers-another"))
            r.seq += 5;
        if (opened && is("answers-too-long"))
            length = UINT32_MAX - 8;
        if (opened && is("answers-short"))
            length = 3;
        memcpy(response, &r, sizeof r);
        if (q.op == ISLE_OP_CREATE_CONTEXT && is("answers-before-asked"))
            seq += 1; /* the answer to the next request lies there already */
        reply(seq, response, length);
        if (q.op == ISLE_OP_EXIT && !is("stays"))
            exit(0);
        if (q.op == ISLE_OP_CREATE_CONTEXT && makes_noise()) {
            pthread_t t;
            pthread_create(&t, NULL, noise, NULL);
        }
        opened |= q.op == ISLE_OP_OPEN;
    }
}

int main(int argc, char **argv)
{
    isle_segment_request q;
    pthread_t t;
    if (argc < 3 || (h.socket = connect_to(argv[1])) < 0)
        return 2;
    const char *slash = strrchr(argv[2], '/');
    h.mode = slash ? slash + 1 : argv[2];
    int fd = receive(&q);
    h.size = q.size;
    h.channel = mmap(NULL, q.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (h.channel == MAP_FAILED)
        return 1;
    h.layout = *h.channel;
    h.channel->host_pid = (uint32_t)getpid();
    if (pthread_create(&t, NULL, data, NULL))
        return 1;
    __atomic_store_n(&h.channel->host_state, ISLE_HOST_READY, __ATOMIC_RELEASE);
    bell_ring(&h.channel->reply_bell, &h.channel->reply_sleeping);
    control();
}
