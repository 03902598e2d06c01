#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness.h"
#include "rt.h"

#define SIZE (8u << 20)

static bool all_zero(const uint8_t *p, uint64_t n)
{
    while (n && !*p)
        p++, n--;
    return !n;
}

/* Random allocations and frees against a plain list of what is live. */
static void live_blocks_never_overlap_and_are_zeroed(void)
{
    void *base;
    int fd = segment_make("heap", SIZE, &base);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct heap h;
        isle_shared live[64];
        uint32_t count = 0;
        uint64_t state = seed;
        CHECK_EQ(0, heap_init(&h, 16, base, SIZE, seed % 4 * SIZE / 3));
        for (int step = 0; step < 400; step++) {
            uint64_t r = test_random(&state);
            if (r % 3 && count < 64) {
                uint64_t size = test_random(&state) % (1u << (r % 20 + 1)) + 1, alignment = 1ull << test_random(&state) % 17;
                isle_shared s;
                int rc = heap_alloc(&h, size, alignment, &s);
                if (rc == -ENOMEM)
                    continue;
                CHECK_EQ(0, rc);
                CHECK(s.size >= size && s.offset + s.size <= SIZE && s.offset % alignment == 0);
                CHECK(s.pointer == (uint8_t *)base + s.offset && s.segment == 16);
                CHECK(all_zero(s.pointer, s.size));
                for (uint32_t i = 0; i < count; i++)
                    CHECK(s.offset + s.size <= live[i].offset || live[i].offset + live[i].size <= s.offset);
                memset(s.pointer, 0xff, s.size);
                live[count++] = s;
            } else if (count) {
                uint32_t i = (uint32_t)(r / 3 % count);
                CHECK_EQ(0, heap_free(&h, &live[i]));
                CHECK_EQ(-ESTALE, heap_free(&h, &live[i]));
                live[i] = live[--count];
            }
        }
        while (count)
            CHECK_EQ(0, heap_free(&h, &live[--count]));
        isle_shared all;
        CHECK_EQ(0, heap_alloc(&h, SIZE, 1, &all)); /* everything has merged again */
        memset(all.pointer, 1, 4096);
        heap_zero(&h);
        heap_destroy(&h);
        CHECK(all_zero(base, SIZE));
    }
    munmap(base, SIZE);
    close(fd);
}

static void impossible_requests_are_refused(void)
{
    void *base;
    int fd = segment_make("heap", SIZE, &base);
    struct heap h;
    isle_shared s;
    CHECK_EQ(0, heap_init(&h, 16, base, SIZE, 0));
    CHECK_EQ(-EINVAL, heap_alloc(&h, 0, 1, &s));
    CHECK_EQ(-EINVAL, heap_alloc(&h, 4096, 3, &s));
    CHECK_EQ(-ENOMEM, heap_alloc(&h, SIZE + 1, 1, &s));
    CHECK_EQ(-ENOMEM, heap_alloc(&h, 1, 1ull << 63, &s));
    const uint64_t huge[] = {UINT64_MAX, UINT64_MAX - 4095, 1ull << 63, (1ull << 63) + 1, UINT64_MAX / 2};
    for (size_t i = 0; i < 5; i++)
        CHECK_EQ(-ENOMEM, heap_alloc(&h, huge[i], 4096, &s));
    CHECK_EQ(0, heap_alloc(&h, 100, 0, &s));
    isle_shared wrong = s;
    wrong.size += 4096;
    CHECK_EQ(-EINVAL, heap_free(&h, &wrong));
    wrong = s;
    wrong.offset += 1;
    CHECK_EQ(-ESTALE, heap_free(&h, &wrong));
    CHECK_EQ(0, heap_free(&h, &s));
    heap_destroy(&h);
    munmap(base, SIZE);
    close(fd);
}

static void freed_memory_returns_its_pages(void)
{
    void *base;
    int fd = segment_make("heap", SIZE, &base);
    struct heap h;
    isle_shared s;
    unsigned char resident[SIZE / 4096];
    CHECK_EQ(0, heap_init(&h, 16, base, SIZE, 0));
    CHECK_EQ(0, heap_alloc(&h, SIZE, 1, &s));
    memset(s.pointer, 1, SIZE);
    CHECK_EQ(0, heap_free(&h, &s));
    CHECK_EQ(0, mincore(base, SIZE, resident));
    for (uint32_t i = 0; i < SIZE / 4096; i++)
        CHECK(!(resident[i] & 1));
    heap_destroy(&h);
    munmap(base, SIZE);
    close(fd);
}

/* What the next context has there is zero all the same, whoever wrote in or beside the blocks of the last one. */
static void kept_pages_stay_and_are_zeroed(void)
{
    const uint64_t kept = SIZE / 2;
    void *base;
    int fd = segment_make("heap", SIZE, &base);
    struct heap h;
    isle_shared first, rest, again;
    unsigned char resident[SIZE / 4096];
    CHECK_EQ(0, heap_init(&h, 16, base, SIZE, kept));
    CHECK_EQ(0, heap_alloc(&h, SIZE / 4, 1, &first));
    CHECK_EQ(0, heap_alloc(&h, SIZE / 2, 1, &rest));
    memset(base, 1, SIZE);
    CHECK_EQ(0, heap_free(&h, &first));
    CHECK_EQ(0, heap_free(&h, &rest));
    CHECK_EQ(0, heap_alloc(&h, SIZE / 4 + 4096, 1, &again)); /* of both blocks */
    CHECK(again.offset == 0 && all_zero(again.pointer, again.size));
    memset(again.pointer, 1, again.size);
    heap_zero(&h);
    CHECK_EQ(0, mincore(base, SIZE, resident));
    for (uint64_t i = 0; i < kept / 4096; i++)
        CHECK(resident[i] & 1);
    for (uint64_t i = kept / 4096; i < (SIZE / 4 + SIZE / 2) / 4096; i++)
        CHECK(!(resident[i] & 1));
    CHECK(all_zero(base, kept));
    heap_destroy(&h);
    munmap(base, SIZE);
    close(fd);
}

static const struct test tests[] = {
    TEST(live_blocks_never_overlap_and_are_zeroed),
    TEST(impossible_requests_are_refused),
    TEST(freed_memory_returns_its_pages),
    TEST(kept_pages_stay_and_are_zeroed),
};

int main(int argc, char **argv)
{
    return run_tests("heap", tests, sizeof tests / sizeof tests[0], argc, argv);
}
