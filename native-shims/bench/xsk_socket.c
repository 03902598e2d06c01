#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "xsk.h"

#ifndef XDP_MAX_TX_SKB_BUDGET
#define XDP_MAX_TX_SKB_BUDGET 9
#endif

_Noreturn void xsk_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("bench-xsk: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

int64_t xsk_now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return at.tv_sec * 1000000000LL + at.tv_nsec;
}

void xsk_enter(const char *netns)
{
    int fd = open(netns, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || setns(fd, CLONE_NEWNET) < 0)
        xsk_fail("the namespace %s: %s", netns, strerror(errno));
    close(fd);
}

static void set(int fd, int option, const void *value, socklen_t bytes)
{
    if (setsockopt(fd, SOL_XDP, option, value, bytes) < 0)
        xsk_fail("option %d of AF_XDP: %s", option, strerror(errno));
}

static void address(xsk *s, const char *interface)
{
    struct ifreq request = {0};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (strlen(interface) >= sizeof request.ifr_name)
        xsk_fail("the name %s of an interface is too long", interface);
    strcpy(request.ifr_name, interface);
    if (fd < 0 || ioctl(fd, SIOCGIFHWADDR, &request) < 0)
        xsk_fail("the interface %s: %s", interface, strerror(errno));
    memcpy(s->mac, request.ifr_hwaddr.sa_data, sizeof s->mac);
    s->interface = (int)if_nametoindex(interface);
    close(fd);
}

static xsk_ring map(int fd, off_t at, const struct xdp_ring_offset *offsets, uint32_t size, size_t entry)
{
    uint8_t *memory = mmap(NULL, offsets->desc + size * entry, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, at);
    if (memory == MAP_FAILED)
        xsk_fail("a ring cannot be mapped: %s", strerror(errno));
    return (xsk_ring){
        .producer = (_Atomic uint32_t *)(memory + offsets->producer),
        .consumer = (_Atomic uint32_t *)(memory + offsets->consumer),
        .flags = (_Atomic uint32_t *)(memory + offsets->flags),
        .entries = memory + offsets->desc,
        .size = size,
    };
}

static void rings(xsk *s)
{
    uint32_t fill = 2 * s->size;
    struct xdp_mmap_offsets offsets;
    socklen_t bytes = sizeof offsets;
    set(s->fd, XDP_UMEM_FILL_RING, &fill, sizeof fill);
    set(s->fd, XDP_UMEM_COMPLETION_RING, &s->size, sizeof s->size);
    set(s->fd, XDP_RX_RING, &s->size, sizeof s->size);
    set(s->fd, XDP_TX_RING, &s->size, sizeof s->size);
    if (getsockopt(s->fd, SOL_XDP, XDP_MMAP_OFFSETS, &offsets, &bytes) < 0 || bytes != sizeof offsets)
        xsk_fail("the kernel does not tell where rings lie");
    s->rx = map(s->fd, XDP_PGOFF_RX_RING, &offsets.rx, s->size, sizeof(struct xdp_desc));
    s->tx = map(s->fd, XDP_PGOFF_TX_RING, &offsets.tx, s->size, sizeof(struct xdp_desc));
    s->fill = map(s->fd, (off_t)XDP_UMEM_PGOFF_FILL_RING, &offsets.fr, fill, sizeof(uint64_t));
    s->completion = map(s->fd, (off_t)XDP_UMEM_PGOFF_COMPLETION_RING, &offsets.cr, s->size, sizeof(uint64_t));
}

void xsk_open(xsk *s, const char *interface, uint32_t size)
{
    memset(s, 0, sizeof *s);
    if (size < 64 || size > 1 << 16 || (size & (size - 1)))
        xsk_fail("rings of %u entries are no power of two within 64 to 65536", size);
    s->size = size;
    address(s, interface);
    s->fd = socket(AF_XDP, SOCK_RAW | SOCK_CLOEXEC, 0);
    if (s->fd < 0)
        xsk_fail("AF_XDP: %s", strerror(errno));
    uint64_t bytes = 2ull * size * XSK_FRAME;
    s->umem = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (s->umem == MAP_FAILED)
        xsk_fail("no memory for %u frames", 2 * size);
    struct xdp_umem_reg frames = {.addr = (uintptr_t)s->umem, .len = bytes, .chunk_size = XSK_FRAME};
    set(s->fd, XDP_UMEM_REG, &frames, sizeof frames);
    rings(s);
    uint32_t budget = size;
    /* An older kernel sends 32 frames a call. */
    (void)!setsockopt(s->fd, SOL_XDP, XDP_MAX_TX_SKB_BUDGET, &budget, sizeof budget);
    struct sockaddr_xdp to = {
        .sxdp_family = AF_XDP, .sxdp_flags = XDP_COPY | XDP_USE_NEED_WAKEUP, .sxdp_ifindex = (uint32_t)s->interface};
    if (bind(s->fd, (struct sockaddr *)&to, sizeof to) < 0)
        xsk_fail("a socket on queue 0 of %s: %s", interface, strerror(errno));
    for (uint32_t i = 0; i < size; i++)
        *xsk_address(&s->fill, i) = (uint64_t)(size + i) * XSK_FRAME;
    xsk_produce(&s->fill, size);
}

void xsk_wake(const xsk *s)
{
    if (!(atomic_load_explicit(s->tx.flags, memory_order_relaxed) & XDP_RING_NEED_WAKEUP))
        return;
    if (sendto(s->fd, NULL, 0, MSG_DONTWAIT, NULL, 0) < 0 && errno != EAGAIN && errno != EBUSY && errno != ENOBUFS)
        xsk_fail("the kernel does not send: %s", strerror(errno));
}
