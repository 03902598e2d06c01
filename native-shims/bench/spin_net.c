#include <errno.h>
#include <linux/icmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "spin.h"

enum { MOST = 2048, IP_HEADER = 20, PATIENCE_S = 10 };

_Noreturn void spin_echo(struct sockaddr_in here)
{
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&here, sizeof here) < 0)
        spin_fail("the socket of the server");
    puts("ready");
    fflush(stdout);
    for (;;) {
        char bytes[MOST];
        struct sockaddr_in from;
        socklen_t length = sizeof from;
        ssize_t n = recvfrom(fd, bytes, sizeof bytes, 0, (struct sockaddr *)&from, &length);
        if (n < 0 || sendto(fd, bytes, (size_t)n, 0, (struct sockaddr *)&from, length) != n)
            spin_fail("the server");
    }
}

void spin_open(spin_client *c, int icmp, struct sockaddr_in to, uint32_t bytes)
{
    struct timeval patience = {.tv_sec = PATIENCE_S};
    struct icmp_filter only_answers = {~(1u << ICMP_ECHOREPLY)};
    *c = (spin_client){.icmp = icmp, .to = to, .bytes = bytes};
    errno = EINVAL;
    if (bytes < 8 || bytes > MOST - sizeof(struct icmphdr) - IP_HEADER)
        spin_fail("BYTES");
    c->fd = icmp ? socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_ICMP) : socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (c->fd < 0 || connect(c->fd, (struct sockaddr *)&to, sizeof to) < 0 ||
        setsockopt(c->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) < 0 ||
        (icmp && setsockopt(c->fd, SOL_RAW, ICMP_FILTER, &only_answers, sizeof only_answers) < 0))
        spin_fail("the socket of the client");
}

static uint16_t checksum(const void *bytes, size_t length)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < length; i += 2) {
        uint8_t pair[2] = {((const uint8_t *)bytes)[i], i + 1 < length ? ((const uint8_t *)bytes)[i + 1] : 0};
        uint16_t word;
        memcpy(&word, pair, sizeof word);
        sum += word;
    }
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)~sum;
}

/* Answers of others come to a raw socket, too. */
static int is_answer(const spin_client *c, const uint8_t *got, ssize_t n, const uint8_t *sent, size_t length)
{
    struct icmphdr h;
    if (!c->icmp)
        return n == (ssize_t)length && !memcmp(got, sent, length);
    if (n != (ssize_t)(IP_HEADER + length))
        return 0;
    memcpy(&h, got + IP_HEADER, sizeof h);
    return h.type == ICMP_ECHOREPLY && h.un.echo.id == (uint16_t)getpid() && h.un.echo.sequence == c->sequence &&
           !checksum(got + IP_HEADER, length) && !memcmp(got + IP_HEADER + sizeof h, sent + sizeof h, length - sizeof h);
}

static void trip(spin_client *c, uint8_t *request, uint64_t number)
{
    size_t head = c->icmp ? sizeof(struct icmphdr) : 0, length = head + c->bytes;
    uint8_t got[MOST];
    ssize_t n;
    memcpy(request + head, &number, sizeof number);
    if (c->icmp) {
        struct icmphdr h = {.type = ICMP_ECHO, .un.echo = {(uint16_t)getpid(), ++c->sequence}};
        memcpy(request, &h, sizeof h);
        h.checksum = checksum(request, length);
        memcpy(request, &h, sizeof h);
    }
    if (send(c->fd, request, length, 0) != (ssize_t)length)
        spin_fail("send");
    do {
        n = recv(c->fd, got, sizeof got, 0);
        if (n < 0)
            spin_fail("no answer");
    } while (!is_answer(c, got, n, request, length));
}

double spin_ping(spin_client *c, uint64_t rounds)
{
    uint8_t request[MOST];
    memset(request, 0x5a, sizeof request);
    int64_t start = spin_now();
    for (uint64_t i = 0; i < rounds; i++)
        trip(c, request, i);
    return (double)(spin_now() - start) / (double)rounds;
}
