/* Sorting against qsort, by types, sizes and kinds of data; and of memory that changes meanwhile. */
#include <errno.h>
#include <stdlib.h>

#include "compute_harness.h"

static const uint32_t types[] = {ISLE_ARG_U32, ISLE_ARG_I32, ISLE_ARG_U64, ISLE_ARG_F32};
/* around the sizes of steps (16384) and parts (65536 elements) */
static const uint32_t counts[] = {0, 1, 2, 3, 100, 2047, 16384, 16385, 65536, 65537, 140001};
#define COUNTS (sizeof counts / sizeof counts[0])

static uint32_t size_of(uint32_t type)
{
    return type == ISLE_ARG_U64 ? 8 : 4;
}

static int order_u32(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static int order_i32(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return x < y ? -1 : x > y;
}

static int order_u64(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* IEEE 754 totalOrder: sign and magnitude */
static int order_f32(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int64_t p = (x & 0x7fffffff) + 1ll, q = (y & 0x7fffffff) + 1ll;
    p = x >> 31 ? -p : p;
    q = y >> 31 ? -q : q;
    return p < q ? -1 : p > q;
}

static void fill(uint8_t *to, uint64_t bytes, int kind, uint64_t *state)
{
    static const uint32_t floats[] = {0x7fc00000, 0xffc00000, 0x7f800001, 0x7f800000, 0xff800000, 0, 0x80000000, 1, 0x80000001, 0x3f800000};
    for (uint64_t i = 0; i + 4 <= bytes; i += 4) {
        uint32_t w = kind == 0   ? (uint32_t)test_random(state)
                     : kind == 1 ? 0x80808080
                     : kind == 2 ? (uint32_t)(bytes - i)
                     : kind == 3 ? (uint32_t)i
                                 : floats[compute_below(state, 10)];
        memcpy(to + i, &w, 4);
    }
}

/* Every way gets the same data, so their order is found once. */
static void everything_comes_out_in_order(void)
{
    static int (*const orders[])(const void *, const void *) = {order_u32, order_i32, order_u64, order_f32};
    uint64_t room = 0;
    for (uint32_t i = 0; i < COUNTS * 4 * 5; i++)
        room += counts[i / 20] * 8ull;
    uint8_t *const wanted = malloc(room);
    bool known = false;
    for (int way = 0; way < COMPUTE_WAYS; way++) {
        uint8_t *want = wanted;
        uint64_t state = 41;
        if (!compute_begin(way, "sort"))
            continue;
        for (uint32_t i = 0; i < COUNTS * 4 * 5; i++) {
            uint32_t t = i % 4, n = counts[i / 20];
            uint64_t bytes = (uint64_t)n * size_of(types[t]);
            uint8_t *data = compute_place(0, bytes, i & 1);
            place[0].access = READ_ | WRITE_;
            fill(data, bytes, (int)(i / 4 % 5), &state);
            if (!known) {
                memcpy(want, data, bytes);
                qsort(want, n, size_of(types[t]), orders[t]);
            }
            CHECK_EQ(0, compute_run(1, &types[t], 1));
            CHECK(!memcmp(want, data, bytes));
            want += n * 8ull;
        }
        known = true;
        soft_end();
    }
    free(wanted);
}

/* Whatever somebody writes into the buffer while it is sorted: nothing outside it is read or written, and the next sort is right. */
static void data_may_change_meanwhile(void)
{
#ifndef __SANITIZE_THREAD__ /* it would report the race that is wanted here */
    for (int units = 1; units < 4; units += 2) {
        uint64_t state = 42, tag;
        struct command k;
        isle_completion_slot done;
        CHECK_EQ(0, compute_open(units == 1 ? "compute_units=1" : "compute_units=3", "sort"));
        uint32_t *data = compute_place(0, COMPUTE_ROOM, true), n = COMPUTE_ROOM / 4;
        place[0].access = READ_ | WRITE_;
        compute_command(&k, 1, (isle_arg[]){{ISLE_ARG_U32, 0, ISLE_ARG_U32}}, 1);
        for (int round = 0; round < 5; round++) {
            fill((uint8_t *)data, COMPUTE_ROOM, 0, &state);
            CHECK_EQ(0, core_submit(&soft, CONTEXT, &k, 0, &tag));
            for (bool over = false; !over;) {
                for (uint32_t i = 0; i < 20000; i++)
                    __atomic_store_n(&data[compute_below(&state, n)], (uint32_t)test_random(&state), __ATOMIC_RELAXED);
                over = core_next(&soft, 0, &done);
            }
            CHECK(done.tag == tag && done.status == ACCEL_COMPLETION_SUCCESS);
        }
        CHECK_EQ(0, core_run(&soft, CONTEXT, &k, NULL));
        for (uint32_t i = 1; i < n; i++)
            CHECK(data[i - 1] <= data[i]);
        soft_end();
    }
#endif
}

static const struct test tests[] = {TEST(everything_comes_out_in_order), TEST(data_may_change_meanwhile)};

int main(int argc, char **argv)
{
    return run_tests("sort", tests, sizeof tests / sizeof tests[0], argc, argv);
}
