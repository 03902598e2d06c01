/*
 * hostile-host ABSTRACT-SOCKET-NAME FOLDER/MODE [options]: a driver host that speaks the wire well enough to be opened, and then does
 * what its MODE says. It stands where driver-host does; a test of the core drives it.
 */
#define _GNU_SOURCE
#include <errno.h>
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
#include "hostile.h"

struct hostile h;

bool is(const char *mode)
{
    return !strcmp(h.mode, mode);
}

uint64_t next_random(void)
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
    if (is("boasts-of-memory"))
        r.info.local_memory_bytes = INT64_MAX - 4096;
    return put(out, &r, sizeof r);
}

static uint32_t alloc_answer(uint8_t *out)
{
    isle_alloc_response r = {.segment = 16, .offset = 0, .size = 4096};
    if (is("points-outside"))
        r = (isle_alloc_response){.segment = 16, .offset = UINT64_MAX - 4095, .size = 8192};
    if (is("points-elsewhere"))
        r = (isle_alloc_response){.segment = ISLE_SEGMENT_COMMANDS, .offset = 0, .size = 4096};
    if (is("gives-too-much"))
        r = (isle_alloc_response){.segment = 0, .size = 1ull << 62};
    if (is("gives-too-little"))
        r = (isle_alloc_response){.segment = 0, .size = 4095};
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
        if (q.segment == ISLE_SEGMENT_AGENT) {
            h.agent_fd = fd;
            h.agent = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
        }
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
        if (q.op == ISLE_OP_CLOSE && is("completes-while-closing")) {
            pthread_t t;
            pthread_create(&t, NULL, hostile_completions, NULL);
        }
        if (q.op == ISLE_OP_CREATE_CONTEXT && is("answers-before-asked"))
            seq += 1; /* the answer to the next request lies there already */
        reply(seq, response, length);
        if (q.op == ISLE_OP_EXIT && !is("stays"))
            exit(0);
        if (q.op == ISLE_OP_CREATE_CONTEXT && hostile_makes_noise()) {
            pthread_t t;
            pthread_create(&t, NULL, hostile_noise, NULL);
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
    if (pthread_create(&t, NULL, hostile_data, NULL))
        return 1;
    __atomic_store_n(&h.channel->host_state, ISLE_HOST_READY, __ATOMIC_RELEASE);
    bell_ring(&h.channel->reply_bell, &h.channel->reply_sleeping);
    control();
}
