/* What the builtin programs and ops compute, in one and in several compute units. */
#include <errno.h>
#include <stdlib.h>

#include "../kit/sha256.h"
#include "soft_harness.h"

static const char *const units[] = {"compute_units=1", "compute_units=4"};

static void digest_of(const uint8_t *data, uint64_t length, uint8_t digest[32])
{
    uint32_t state[8];
    memcpy(state, sha256_initial, sizeof state);
    sha256_compress_portable(state, data, length / 64);
    sha256_finish(sha256_compress_portable, state, data + length / 64 * 64, length, digest);
}

static void sha256_hashes_every_block(void)
{
    static const uint64_t cases[][2] = {{1, 1}, {1, 100}, {64, 64}, {1000, 64}, {1000, 1000}, {1000, 999}, {1000, 7}, {300000, 4096},
                                        {1 << 20, 1 << 20}, {(1 << 20) + 1, 1 << 20}, {4 << 20, 100000}, {1 << 20, UINT64_MAX}};
    for (int u = 0; u < 2; u++) {
        CHECK_EQ(0, soft_begin(units[u], NULL));
        uint8_t *in = soft_memory(A, 4 << 20), *out = soft_memory(B, 1 << 20);
        CHECK(in && out);
        CHECK_EQ(0, core_program(&soft, CONTEXT, PROGRAM, "sha256"));
        uint64_t state = 7;
        for (uint32_t i = 0; i < 4 << 20; i += 8) {
            uint64_t r = test_random(&state);
            memcpy(in + i, &r, 8);
        }
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            uint64_t length = cases[i][0], block = cases[i][1], count = (length - 1) / block + 1;
            struct command k;
            uint8_t want[32];
            isle_completion_slot done;
            memset(out, 0xee, 1 << 20);
            soft_dispatch(&k, length, count * 32, ISLE_ARG_U64, block);
            CHECK_EQ(0, core_run(&soft, CONTEXT, &k, &done));
            CHECK(done.end_ns >= done.start_ns);
            for (uint64_t b = 0; b < count; b++) {
                uint64_t at = b * block;
                digest_of(in + at, length - at < block ? length - at : block, want);
                CHECK(!memcmp(out + 32 * b, want, 32));
            }
            CHECK_EQ(0xee, out[32 * count]);
        }
        struct command k;
        soft_dispatch(&k, 1000, 32, ISLE_ARG_U64, 999);
        CHECK_EQ(-EINVAL, core_run(&soft, CONTEXT, &k, NULL)); /* no room for two digests */
        soft_dispatch(&k, 1000, 32, ISLE_ARG_U64, 0);
        CHECK_EQ(-EINVAL, core_run(&soft, CONTEXT, &k, NULL));
        soft_dispatch(&k, 1000, 32, ISLE_ARG_U32, 1000);
        CHECK_EQ(-EINVAL, core_run(&soft, CONTEXT, &k, NULL));
        soft_dispatch(&k, 1000, 0, ISLE_ARG_U64, 1000);
        CHECK_EQ(-EINVAL, core_run(&soft, CONTEXT, &k, NULL));
        soft_end();
    }
}

static void histogram_counts_bytes(void)
{
    for (int u = 0; u < 2; u++) {
        CHECK_EQ(0, soft_begin(units[u], NULL));
        uint8_t *in = soft_memory(A, 3 << 20), *out = soft_memory(B, 4096);
        uint64_t want[256] = {0}, length = (3 << 20) - 5, state = 9;
        CHECK_EQ(0, core_program(&soft, CONTEXT, PROGRAM, "histogram"));
        for (uint64_t i = 0; i < length; i++)
            want[in[i] = (uint8_t)(test_random(&state) % 100)]++;
        struct command k;
        for (int twice = 0; twice < 2; twice++) {
            soft_dispatch(&k, length, 2048, 0, 0);
            CHECK_EQ(0, core_run(&soft, CONTEXT, &k, NULL));
            CHECK(!memcmp(out, want, sizeof want));
        }
        soft_dispatch(&k, length, 2040, 0, 0);
        CHECK_EQ(-EINVAL, core_run(&soft, CONTEXT, &k, NULL));
        soft_end();
    }
}

static void fill_and_copy_as_program_and_as_op(void)
{
    for (int u = 0; u < 2; u++) {
        CHECK_EQ(0, soft_begin(units[u], NULL));
        uint8_t *a = soft_memory(A, 4 << 20), *b = soft_memory(B, 4 << 20);
        struct command k;
        CHECK_EQ(0, core_program(&soft, CONTEXT, PROGRAM, "fill"));
        soft_dispatch(&k, 0, (2 << 20) + 3, ISLE_ARG_U32, 0x04030201);
        CHECK_EQ(0, core_run(&soft, CONTEXT, &k, NULL));
        for (uint32_t i = 0; i < (2 << 20) + 3; i++)
            CHECK_EQ(i % 4 + 1, b[i]);
        CHECK_EQ(0, b[(2 << 20) + 3]);
        CHECK_EQ(0, core_program(&soft, CONTEXT, PROGRAM + 5, "copy"));
        command_begin(&k);
        command_bind(&k, B, 0, 3 << 20, READ_);
        command_bind(&k, A, 0, 4 << 20, WRITE_);
        command_bind(&k, PROGRAM + 5, 0, 0, ISLE_ACCESS_PROGRAM);
        command_dispatch(&k, 2, 2, (isle_arg[]){{ISLE_ARG_BUFFER, 0, 0}, {ISLE_ARG_BUFFER, 1, 0}});
        CHECK_EQ(0, core_run(&soft, CONTEXT, &k, NULL));
        CHECK(!memcmp(a, b, 3 << 20));
        command_begin(&k);
        command_bind(&k, A, 10, 100, WRITE_);
        command_fill(&k, 0, 3, 5, 0xddccbbaa);
        CHECK_EQ(0, core_run(&soft, CONTEXT, &k, NULL));
        CHECK(!memcmp(a + 13, "\xaa\xbb\xcc\xdd\xaa", 5));
        soft_end();
    }
}

/* Within one buffer, in both directions. */
static void copies_may_overlap(void)
{
    static const uint64_t cases[][2] = {{1000, 0}, {0, 1000}, {3 << 20, 1}, {1, 3 << 20}, {500, 500}};
    for (int u = 0; u < 2; u++) {
        CHECK_EQ(0, soft_begin(units[u], NULL));
        uint8_t *a = soft_memory(A, 4 << 20);
        for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
            uint64_t to = cases[c][0], from = cases[c][1], bytes = (4 << 20) - (to > from ? to : from);
            struct command k;
            isle_op_copy op = {.op = {ISLE_OP_COPY, 0, sizeof op}, .dst_offset = to, .src_offset = from, .bytes = bytes};
            for (uint32_t i = 0; i < 4 << 20; i++)
                a[i] = (uint8_t)(i * 2654435761u >> 24);
            command_begin(&k);
            command_bind(&k, A, 0, 4 << 20, READ_ | WRITE_);
            command_op(&k, &op, sizeof op);
            CHECK_EQ(0, core_run(&soft, CONTEXT, &k, NULL));
            for (uint64_t i = 0; i < 4 << 20; i++) {
                uint64_t was = i >= to && i < to + bytes ? i - to + from : i;
                CHECK_EQ((uint8_t)((uint32_t)was * 2654435761u >> 24), a[i]);
            }
        }
        soft_end();
    }
}

static void vendor_ops_are_not_supported(void)
{
    isle_op vendor = {ISLE_OP_VENDOR, 0, 8};
    struct command k;
    isle_completion_slot done;
    CHECK_EQ(0, soft_begin(NULL, NULL));
    command_begin(&k);
    command_op(&k, &vendor, sizeof vendor);
    CHECK_EQ(IO_NOT_SUPPORTED, core_run(&soft, CONTEXT, &k, &done));
    CHECK_EQ(ACCEL_COMPLETION_ERROR, done.status);
    soft_end();
}

static void programs_tell_what_they_take(void)
{
    isle_program_entry e;
    uint32_t index = 0;
    char names[256] = "";
    CHECK_EQ(0, soft_begin(NULL, NULL));
    while (!core_call(&soft, ISLE_OP_BUILTIN, &index, sizeof index)) {
        memcpy(&e, core_body(&soft), sizeof e);
        strcat(strcat(names, e.name), " ");
        index++;
    }
    CHECK(!strcmp(names, "noop fill copy sha256 histogram busy convolve-u8 convolve-f32 matmul-f32 matmul-i8 reduce sort "));
    CHECK_EQ(0, core_program(&soft, CONTEXT, PROGRAM, "sha256"));
    isle_describe_request q = {.program = PROGRAM};
    CHECK_EQ(0, core_call(&soft, ISLE_OP_DESCRIBE_PROGRAM, &q, sizeof q));
    memcpy(&e, core_body(&soft), sizeof e);
    CHECK(!strcmp(e.name, "sha256") && e.arg_count == 3 && e.arg_kinds[2] == ISLE_ARG_U64 && e.arg_access[1] == WRITE_);
    q.entry = 1;
    CHECK_EQ(-ENOENT, core_call(&soft, ISLE_OP_DESCRIBE_PROGRAM, &q, sizeof q));
    CHECK_EQ(-EEXIST, core_program(&soft, CONTEXT, PROGRAM, "sha256"));
    CHECK_EQ(-ENOENT, core_program(&soft, CONTEXT, PROGRAM + 1, "sha25"));
    isle_load_response log;
    memcpy(&log, core_body(&soft), sizeof log);
    CHECK(log.log_length > 10 && core_body_length(&soft) == sizeof log + log.log_length);
    uint64_t id = PROGRAM;
    CHECK_EQ(0, core_call(&soft, ISLE_OP_UNLOAD_PROGRAM, &id, sizeof id));
    CHECK_EQ(-ESTALE, core_call(&soft, ISLE_OP_UNLOAD_PROGRAM, &id, sizeof id));
    soft_end();
}

static const struct test tests[] = {
    TEST(sha256_hashes_every_block),
    TEST(histogram_counts_bytes),
    TEST(fill_and_copy_as_program_and_as_op),
    TEST(copies_may_overlap),
    TEST(vendor_ops_are_not_supported),
    TEST(programs_tell_what_they_take),
};

int main(int argc, char **argv)
{
    return run_tests("programs", tests, sizeof tests / sizeof tests[0], argc, argv);
}
