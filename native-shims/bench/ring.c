/*
 * bench-ring MODE BYTES ROUNDS: two processes on a processor each exchange BYTES without sleeping; prints nanoseconds, the mean of ROUNDS.
 *   tcp      a round trip as in a ring of two, with a connection for each direction
 *   pair     a round trip by one connection
 *   udp      a round trip by datagrams of at most 1412 bytes, which the kernel cuts and joins
 *   banks    a round trip of frames in banks of shared memory, with a payload of BYTES
 *   goodput  a frame one way by datagrams, with a payload of BYTES
 */
#include "ring.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 20 };

int main(int argc, char **argv) {
    if (argc != 4) {
        fputs("usage: bench-ring tcp|pair|udp|banks|goodput BYTES ROUNDS\n", stderr);
        return 2;
    }
    const char *mode = argv[1];
    size_t bytes = strtoul(argv[2], NULL, 10);
    long rounds = strtol(argv[3], NULL, 10);
    if (bytes < 1 || bytes > MOST || rounds < 1) {
        fputs("bench-ring: BYTES are 1 to 1048576, ROUNDS 1 or more\n", stderr);
        return 2;
    }
    double ns;
    if (strcmp(mode, "tcp") == 0 || strcmp(mode, "pair") == 0) {
        ns = ring_rtt(false, mode[0] == 't', bytes, rounds);
    } else if (strcmp(mode, "udp") == 0) {
        ns = ring_rtt(true, false, bytes, rounds);
    } else if (strcmp(mode, "banks") == 0) {
        ns = ring_banks(bytes, rounds);
    } else if (strcmp(mode, "goodput") == 0) {
        ns = ring_goodput(bytes, rounds);
    } else {
        fprintf(stderr, "bench-ring: no mode '%s'\n", mode);
        return 2;
    }
    printf("%.1f\n", ns);
    return 0;
}
