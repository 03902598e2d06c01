/*
 * bench-kernels DRIVER.so PROGRAM SIZE|IMAGE ROUNDS [SIMD]
 * bench-kernels missing [PROGRAM]
 *
 * Prints "PROGRAM SIZE WHO NS" for each of ROUNDS calls of our program and of what others do the same with, in turn, all on one
 * thread. What a peer computes must be what ours does. A peer that is not there is a line on standard error. SIZE: matrices and images
 * of SIZE x SIZE (images: 3 channels, kernel 5 x 5), SIZE elements for reduce (a sum of f32) and sort (u32). IMAGE: the file that
 * convolve-u8 is to take. SIMD: the device's setting, auto unless given.
 * `missing` prints a line for each peer that is not installed, of all programs or of one.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "futex.h"
#include "kernels.h"

struct run {
    const struct bench_case *c;
    struct kernel_device *device;
    uint32_t width, height, rounds;
    uint64_t bytes[KERNEL_BUFFERS];
    uint32_t scalars[8];
    struct inputs inputs;
};

static double number(const void *from, uint64_t at, enum number type)
{
    return type == U8    ? ((const uint8_t *)from)[at]
           : type == U32 ? ((const uint32_t *)from)[at]
           : type == F32 ? (double)((const float *)from)[at]
                         : ((const double *)from)[at];
}

/* The results, ours and the peer's, must be the same. */
static void compare(const struct run *r, const struct peer *p)
{
    const uint32_t bytes[] = {[U8] = 1, [U32] = 4, [F32] = 4, [F64] = 8};
    uint32_t last = r->c->buffers - 1;
    const void *ours = kernel_device_buffer(r->device, last);
    for (uint64_t i = 0; i < r->bytes[last] / bytes[r->c->out]; i++) {
        double a = number(ours, i, r->c->out), b = number(r->inputs.out, i, r->c->out);
        if (fabs(a - b) <= r->c->tolerance)
            continue;
        fprintf(stderr, "bench-kernels: %s: element %llu is %g, with %s %g\n", r->c->program, (unsigned long long)i, a, p->name, b);
        exit(1);
    }
}

static uint64_t call_peer(const struct run *r, const struct peer *p)
{
    if (p->before)
        p->before(&r->inputs);
    uint64_t start = clock_ns();
    p->call(&r->inputs);
    uint64_t took = clock_ns() - start;
    if (p->after)
        p->after(&r->inputs);
    return took;
}

static uint64_t call_ours(const struct run *r)
{
    if (r->c->buffers == 1)
        case_fill(r->c, 0, kernel_device_buffer(r->device, 0), r->bytes[0]);
    return kernel_device_call(r->device, r->scalars, r->c->scalar_count);
}

static void say(const struct run *r, const char *who, uint64_t ns)
{
    printf("%s %u %s %llu\n", r->c->program, r->width, who, (unsigned long long)ns);
}

/* The first round warms up, and is the one whose results are compared. */
static void measure(const struct run *r)
{
    const struct peer *peers[2];
    uint32_t count = 0;
    for (uint32_t i = 0; i < 2 && r->c->peers[i]; i++) {
        const char *why = r->c->peers[i]->open ? r->c->peers[i]->open() : NULL;
        if (why)
            fprintf(stderr, "bench-kernels: %s\n", why);
        else
            peers[count++] = r->c->peers[i];
    }
    for (uint32_t round = 0; round <= r->rounds; round++) {
        uint64_t ours = call_ours(r);
        if (round)
            say(r, "ours", ours);
        for (uint32_t i = 0; i < count; i++) {
            uint64_t theirs = call_peer(r, peers[i]);
            if (round)
                say(r, peers[i]->name, theirs);
            else
                compare(r, peers[i]);
        }
    }
}

static void prepare(struct run *r, const char *library, const char *simd, const uint8_t *pixels)
{
    uint32_t last = r->c->buffers - 1;
    for (uint32_t i = 0; i <= last; i++)
        r->bytes[i] = case_bytes(r->c, i, (uint64_t)r->width * r->height);
    case_scalars(r->c, r->width, r->height, r->scalars);
    r->device = kernel_device_open(library, r->c->program, r->bytes, r->c->buffers, simd);
    r->inputs = (struct inputs){.c = r->c, .width = r->width, .height = r->height, .out = malloc(r->bytes[last])};
    if (!r->inputs.out) {
        fprintf(stderr, "bench-kernels: no memory for %llu bytes\n", (unsigned long long)r->bytes[last]);
        exit(1);
    }
    for (uint32_t i = 0; i < last; i++) {
        r->inputs.in[i] = kernel_device_buffer(r->device, i);
        if (!i && pixels)
            memcpy(kernel_device_buffer(r->device, i), pixels, r->bytes[i]);
        else
            case_fill(r->c, i, kernel_device_buffer(r->device, i), r->bytes[i]);
    }
}

static int missing(const struct bench_case *from, const struct bench_case *end)
{
    for (; from < end; from++)
        for (uint32_t p = 0; p < 2 && from->peers[p]; p++) {
            const char *why = from->peers[p]->open ? from->peers[p]->open() : NULL;
            if (why)
                printf("%s\n", why);
        }
    return 0;
}

static int usage(void)
{
    fprintf(stderr, "usage: bench-kernels missing [PROGRAM] | DRIVER.so PROGRAM SIZE|IMAGE ROUNDS [SIMD]; PROGRAM one of");
    for (uint32_t i = 0; i < BENCH_CASES; i++)
        fprintf(stderr, " %s", bench_cases[i].program);
    fprintf(stderr, "\n");
    return 2;
}

int main(int argc, char **argv)
{
    const struct bench_case *c = bench_cases, *end = bench_cases + BENCH_CASES;
    while (argc > 2 && c < end && strcmp(c->program, argv[2]))
        c++;
    if (argc > 1 && !strcmp(argv[1], "missing") && (argc == 2 || (argc == 3 && c < end)))
        return missing(c, argc == 2 ? end : c + 1);
    if (argc < 5 || argc > 6 || c == end)
        return usage();
    char *behind;
    uint8_t *pixels = NULL;
    unsigned long n = strtoul(argv[3], &behind, 10), rounds = strtoul(argv[4], NULL, 10);
    struct run r = {.c = c, .width = (uint32_t)n, .height = c->squared ? (uint32_t)n : 1, .rounds = (uint32_t)rounds};
    bool image = *behind && !strcmp(c->program, "convolve-u8");
    if ((!image && (*behind || !n || n > c->most)) || !rounds || rounds > 1000) {
        fprintf(stderr, "bench-kernels: SIZE of %s is 1 to %u, ROUNDS 1 to 1000\n", c->program, c->most);
        return 2;
    }
    if (image)
        pixels = magick_read(argv[3], &r.width, &r.height);
    prepare(&r, argv[1], argc > 5 ? argv[5] : "auto", pixels);
    measure(&r);
    free(pixels);
    free(r.inputs.out);
    kernel_device_close(r.device);
    return 0;
}
