/*
 * bench-infer FILE answers|ROUNDS: the kernel of nets, called from C. FILE has four i32, bytes of the net, features, outputs and
 * inputs; then the net as infer.h says, and the inputs. Prints the outputs for each input in a line; or nanoseconds of an answer, the
 * mean of ROUNDS. As in Java, an answer includes the copies of features and outputs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../infer/infer.h"

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "bench-infer: %s\n", what);
    exit(1);
}

static void *taken(FILE *file, size_t bytes)
{
    void *at = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!at || fread(at, 1, bytes, file) != bytes)
        fail("the file is too short");
    return at;
}

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec * 1e9 + (double)at.tv_nsec;
}

/* As in Java: an order that no processor learns. */
static size_t input_of(uint32_t round, size_t inputs)
{
    uint32_t mixed = round * 0x9E3779B1u;
    return ((mixed ^ mixed >> 15) * 0x85EBCA77u >> 20) & (inputs - 1);
}

int main(int argc, char **argv)
{
    FILE *file = argc == 3 ? fopen(argv[1], "rb") : NULL;
    int32_t head[4];
    if (!file || fread(head, sizeof head, 1, file) != 1 || head[1] < 1 || head[1] > 256 || head[2] < 1 || head[2] > 64)
        fail("usage: bench-infer FILE answers|ROUNDS");
    size_t features = (size_t)head[1], outputs = (size_t)head[2], inputs = (size_t)head[3];
    const struct infer_net *net = taken(file, (size_t)head[0]);
    const int32_t *input = taken(file, inputs * features * sizeof *input);
    fclose(file);
    static struct infer_run run __attribute__((aligned(64)));
    static int32_t out[64];
    infer_function *answer = isle_infer_select(INFER_AUTO);
    int show = !strcmp(argv[2], "answers");
    size_t rounds = show ? inputs : (size_t)atol(argv[2]);
    double start = now();
    for (size_t i = 0; i < rounds; i++) {
        memcpy(run.input, input + (show ? i : input_of((uint32_t)i, inputs)) * features, features * sizeof *input);
        if (answer(net, &run) != INFER_DONE)
            fail("no answer");
        memcpy(out, run.output, outputs * sizeof *out);
        __asm__ volatile("" : : "r"(out) : "memory");
        for (size_t o = 0; show && o < outputs; o++)
            printf("%d%c", out[o], o + 1 == outputs ? '\n' : ' ');
    }
    if (!show)
        printf("%.3f\n", (now() - start) / (double)rounds);
    return 0;
}
