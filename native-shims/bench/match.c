/*
 * bench-match missing: says what is to be installed, if anything.
 * bench-match FILE FILTER answers|ROUNDS: a filter of libpcap, looped over packets of Ethernet. FILE has a u32 length before each
 * packet; their number is a power of two. Prints a line with 0 or 1 for each packet; or nanoseconds of a packet, the mean of ROUNDS.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

/* As in the headers of libpcap-dev, without which this program is built. */
struct program {
    unsigned int length;
    void *instructions;
};
struct packet_header {
    struct timeval time;
    uint32_t captured;
    uint32_t length;
};
enum { ETHERNET = 1, SNAP = 65535, MOST = 1 << 16 };

static void *(*open_dead)(int link_type, int snap);
static int (*compile)(void *pcap, struct program *program, const char *filter, int optimize, uint32_t mask);
static int (*match)(const struct program *program, const struct packet_header *header, const uint8_t *packet);

static struct packet_header headers[MOST];
static const uint8_t *packets[MOST];

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "bench-match: %s\n", what);
    exit(1);
}

static const char *missing(void)
{
    void *so = dlopen("libpcap.so.0.8", RTLD_NOW | RTLD_LOCAL);
    if (!so)
        return "libpcap.so.0.8 is missing: apt-get install libpcap-dev";
    *(void **)&open_dead = dlsym(so, "pcap_open_dead");
    *(void **)&compile = dlsym(so, "pcap_compile");
    *(void **)&match = dlsym(so, "pcap_offline_filter");
    if (!open_dead || !compile || !match)
        return "libpcap.so.0.8 lacks pcap_offline_filter: apt-get install libpcap-dev";
    return NULL;
}

static uint32_t read_packets(const char *name)
{
    FILE *file = fopen(name, "rb");
    uint32_t count = 0, length;
    if (!file)
        fail("the file cannot be opened");
    while (fread(&length, sizeof length, 1, file) == 1) {
        uint8_t *packet = length && length <= SNAP ? malloc(length) : NULL;
        if (!packet || count == MOST || fread(packet, 1, length, file) != length)
            fail("the file has a wrong length, or too many packets");
        headers[count].captured = headers[count].length = length;
        packets[count++] = packet;
    }
    fclose(file);
    if (!count || count & (count - 1))
        fail("the number of packets is no power of two");
    return count;
}

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec * 1e9 + (double)at.tv_nsec;
}

int main(int argc, char **argv)
{
    const char *lacks = missing();
    if (argc == 2 && !strcmp(argv[1], "missing")) {
        if (lacks)
            puts(lacks);
        return 0;
    }
    if (argc != 4 || lacks)
        fail(lacks ? lacks : "usage: bench-match FILE FILTER answers|ROUNDS");
    uint32_t count = read_packets(argv[1]);
    struct program program;
    void *pcap = open_dead(ETHERNET, SNAP);
    if (!pcap || compile(pcap, &program, argv[2], 1, UINT32_MAX))
        fail("the filter cannot be compiled");
    if (!strcmp(argv[3], "answers")) {
        for (uint32_t i = 0; i < count; i++)
            putchar(match(&program, &headers[i], packets[i]) ? '1' : '0');
        putchar('\n');
        return 0;
    }
    long rounds = atol(argv[3]);
    unsigned long matched = 0;
    double start = now();
    for (long i = 0; i < rounds; i++)
        matched += match(&program, &headers[i & (count - 1)], packets[i & (count - 1)]) != 0;
    double end = now();
    __asm__ volatile("" : : "r"(matched));
    printf("%.4f\n", (end - start) / (double)rounds);
    return 0;
}
