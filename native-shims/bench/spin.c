/*
 * bench-spin MODE ...: what handlers of packets are compared with, and the client of both.
 *   line                                        round trips of a cache line between two processes that do not sleep, on processors 0 and 1
 *   echo NETNS ADDRESS PORT                     sends datagrams back, and sleeps until one comes
 *   ping udp|icmp NETNS ADDRESS PORT BYTES      round trips of BYTES bytes of payload; sleeps until the answer comes
 * Prints "ready"; line and ping then answer each line N of standard input with nanoseconds, the mean of N.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "spin.h"

_Noreturn void spin_fail(const char *what)
{
    fprintf(stderr, "bench-spin: %s: %s\n", what, strerror(errno));
    exit(1);
}

int64_t spin_now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return at.tv_sec * 1000000000LL + at.tv_nsec;
}

void spin_enter(const char *netns)
{
    int fd = open(netns, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || setns(fd, CLONE_NEWNET) < 0)
        spin_fail(netns);
}

struct sockaddr_in spin_address(const char *address, const char *port)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)strtoul(port, NULL, 10))};
    errno = EINVAL;
    if (inet_pton(AF_INET, address, &a.sin_addr) != 1)
        spin_fail(address);
    return a;
}

static double measure(spin_client *c, uint64_t rounds)
{
    return c ? spin_ping(c, rounds) : spin_line(rounds);
}

static int serve(spin_client *c)
{
    char line[32];
    setvbuf(stdout, NULL, _IOLBF, 0);
    puts("ready");
    while (fgets(line, sizeof line, stdin)) {
        uint64_t rounds = strtoull(line, NULL, 10);
        errno = EINVAL;
        if (!rounds)
            spin_fail("the number of round trips");
        printf("%.3f\n", measure(c, rounds));
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "line"))
        return serve(NULL);
    if (argc == 5 && !strcmp(argv[1], "echo")) {
        spin_enter(argv[2]);
        spin_echo(spin_address(argv[3], argv[4]));
    }
    if (argc == 7 && !strcmp(argv[1], "ping") && (!strcmp(argv[2], "udp") || !strcmp(argv[2], "icmp"))) {
        spin_client c;
        spin_enter(argv[3]);
        spin_open(&c, !strcmp(argv[2], "icmp"), spin_address(argv[4], argv[5]), (uint32_t)strtoul(argv[6], NULL, 10));
        return serve(&c);
    }
    fputs("usage: bench-spin line | echo NETNS ADDRESS PORT | ping udp|icmp NETNS ADDRESS PORT BYTES\n", stderr);
    return 2;
}
