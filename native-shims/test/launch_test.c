/* Launches and descriptions of kernels: every field wrong, envelopes from seeds, drivers that say nonsense, and drivers without them. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>

#include "describe.h"
#include "harness.h"
#include "testdriver.h"

#define CONTEXT core_id(ISLE_KIND_CONTEXT, 1, 1)
#define MEMORY core_id(ISLE_KIND_MEMORY, 1, 1)
#define PROGRAM core_id(ISLE_KIND_PROGRAM, 1, 1)
#define TAIL 20u

static struct core core;

static int begin(const char *variant)
{
    isle_alloc_response r;
    setenv("ISLE_TEST_DRIVER", variant, 1);
    core_make(&core);
    int rc = core_load(&core, "libtestdriver.so");
    rc = rc ? rc : core_open(&core, NULL);
    rc = rc ? rc : core_context(&core, CONTEXT, 0, NULL);
    rc = rc ? rc : core_alloc(&core, CONTEXT, MEMORY, 4096, 0, &r);
    struct {
        isle_load_request q;
        char source[8];
    } load = {{.context = CONTEXT, .program = PROGRAM, .kind = ISLE_PROGRAM_OPENCL_C, .length = 8}, "kernel!"};
    return rc ? rc : core_call(&core, ISLE_OP_LOAD_PROGRAM, &load, sizeof load);
}

static void end(void)
{
    core_unload(&core);
    core_free(&core);
}

enum { BIND = 64, OP = 128, ARGS = OP + 96, TAIL_AT = ARGS + 48 };

/* bindings: memory, program; one launch of 64 x 2 items with the arguments of the test driver's kernel */
static void good(struct command *k)
{
    struct {
        isle_op_launch head;
        isle_arg args[TEST_KERNEL_ARGS];
        uint8_t tail[24];
    } op = {.head = {.op = {ISLE_OP_LAUNCH, 0, sizeof op},
                     .program = 1,
                     .dimensions = 2,
                     .arg_count = TEST_KERNEL_ARGS,
                     .tail_bytes = TAIL,
                     .size = {64, 2, 1},
                     .offset = {1, 0, 0},
                     .local = {8, 2, 0}},
            .args = {{ISLE_ARG_BUFFER, 0, 0}, {ISLE_ARG_LOCAL, 0, 256}, {ISLE_ARG_BYTES, 4, 16}}};
    command_begin(k);
    command_bind(k, MEMORY, 0, 4096, ISLE_ACCESS_READ | ISLE_ACCESS_WRITE);
    command_bind(k, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM);
    command_op(k, &op, sizeof op);
}

struct poke {
    uint32_t offset, width;
    uint64_t value;
    int code;
};

static int poked(const struct poke *p)
{
    struct command k;
    good(&k);
    memcpy(k.bytes + p->offset, &p->value, p->width);
    return core_run(&core, CONTEXT, &k, NULL);
}

static void every_field_of_a_launch_is_checked(void)
{
    static const struct poke pokes[] = {
        {BIND + 24, 4, 8, -EINVAL}, {BIND + 24, 4, 16, -EINVAL}, {BIND + 24, 4, 24, -EINVAL}, {BIND + 24, 4, 32 | 1, -EINVAL},
        {BIND + 24, 4, 8 | 4, -EINVAL}, {BIND + 24, 4, 8 | 1, 0}, {BIND + 24, 4, 16 | 2, 0}, {BIND + 24, 4, 24 | 3, 0},
        {BIND + 32 + 24, 4, 4 | 8, -EINVAL}, {BIND + 32 + 24, 4, 4 | 16, -EINVAL},
        {OP + 0, 2, 6, -EINVAL}, {OP + 2, 2, 1, -EINVAL}, {OP + 4, 4, 8, -EINVAL}, {OP + 4, 4, 88, -EINVAL}, {OP + 4, 4, 96, -EINVAL},
        {OP + 4, 4, 160, -EINVAL}, {OP + 4, 4, 167, -EINVAL}, {OP + 4, 4, 176, -EINVAL}, {OP + 4, 4, UINT32_MAX & ~7u, -EINVAL},
        {OP + 8, 4, 0, -EINVAL}, {OP + 8, 4, 2, -EINVAL}, {OP + 8, 4, UINT32_MAX, -EINVAL}, {OP + 12, 4, 7, 0},
        {OP + 16, 4, 0, -EINVAL}, {OP + 16, 4, 1, -EINVAL}, {OP + 16, 4, 4, -EINVAL}, {OP + 16, 4, UINT32_MAX, -EINVAL},
        {OP + 20, 4, 2, -EINVAL}, {OP + 20, 4, 4, -EINVAL}, {OP + 20, 4, 65, -EINVAL}, {OP + 20, 4, 0x10000003, -EINVAL},
        {OP + 24, 4, 0, -EINVAL}, {OP + 24, 4, 16, -EINVAL}, {OP + 24, 4, 17, -EINVAL}, {OP + 24, 4, 24, 0}, {OP + 24, 4, 25, -EINVAL},
        {OP + 24, 4, 1025, -EINVAL}, {OP + 24, 4, UINT32_MAX, -EINVAL}, {OP + 24, 4, UINT32_MAX - 6, -EINVAL}, {OP + 28, 4, 1, -EINVAL},
        {OP + 32, 8, 0, -EINVAL}, {OP + 32, 8, 1ull << 62, 0}, {OP + 32, 8, 1ull << 63, -EINVAL}, {OP + 32, 8, UINT64_MAX, -EINVAL},
        {OP + 40, 8, 0, -EINVAL}, {OP + 40, 8, 1ull << 60, -EINVAL}, {OP + 48, 8, 0, -EINVAL}, {OP + 48, 8, 2, -EINVAL},
        {OP + 56, 8, UINT64_MAX - 64, 0}, {OP + 56, 8, UINT64_MAX - 63, -EINVAL}, {OP + 64, 8, UINT64_MAX, -EINVAL},
        {OP + 72, 8, 1, -EINVAL}, {OP + 80, 4, 0, -EINVAL}, {OP + 84, 4, 0, -EINVAL}, {OP + 80, 8, 0, 0}, {OP + 80, 4, 1u << 30, 0},
        {OP + 80, 4, 1u << 31, -EINVAL}, {OP + 80, 8, UINT64_MAX, -EINVAL}, {OP + 88, 4, 1, -EINVAL}, {OP + 92, 4, 1, -EINVAL},
        {ARGS + 0, 4, 0, -EINVAL}, {ARGS + 0, 4, 10, -EINVAL}, {ARGS + 0, 4, ISLE_ARG_U32, 0}, {ARGS + 0, 4, ISLE_ARG_F64, 0},
        {ARGS + 4, 4, 1, -EINVAL}, {ARGS + 4, 4, 2, -EINVAL}, {ARGS + 4, 4, UINT32_MAX, -EINVAL}, {ARGS + 8, 8, 1, -EINVAL},
        {ARGS + 16, 4, ISLE_ARG_I32, 0}, {ARGS + 20, 4, 1, -EINVAL}, {ARGS + 24, 8, 0, -EINVAL}, {ARGS + 24, 8, UINT64_MAX, 0},
        {ARGS + 36, 4, 5, -EINVAL}, {ARGS + 36, 4, UINT32_MAX, -EINVAL}, {ARGS + 40, 8, 0, -EINVAL}, {ARGS + 40, 8, 17, -EINVAL},
        {ARGS + 40, 8, 1, 0}, {ARGS + 40, 8, UINT64_MAX, -EINVAL}, {ARGS + 40, 8, UINT64_MAX - 3, -EINVAL},
        {ARGS + 32, 4, ISLE_ARG_LOCAL, -EINVAL}, {ARGS + 32, 4, ISLE_ARG_U64, -EINVAL},
    };
    CHECK_EQ(0, begin("kernels"));
    for (size_t i = 0; i < sizeof pokes / sizeof pokes[0]; i++) {
        uint64_t before = core.channel->violations;
        int rc = poked(&pokes[i]);
        if (rc != pokes[i].code)
            printf("  poke %zu: offset %u value %llx: expected %d, got %d\n", i, pokes[i].offset, (unsigned long long)pokes[i].value,
                   pokes[i].code, rc);
        CHECK_EQ(pokes[i].code, rc);
        CHECK_EQ(before + (rc != 0), core.channel->violations);
    }
    end();
}

static void the_largest_launch_goes_through(void)
{
    static uint8_t op[sizeof(isle_op_launch) + ISLE_LAUNCH_ARGS * sizeof(isle_arg) + ISLE_LAUNCH_TAIL];
    isle_op_launch head = {.op = {ISLE_OP_LAUNCH, 0, sizeof op},
                           .dimensions = 3,
                           .arg_count = ISLE_LAUNCH_ARGS,
                           .tail_bytes = ISLE_LAUNCH_TAIL,
                           .size = {1, 1, 1}};
    isle_arg args[ISLE_LAUNCH_ARGS];
    struct command k;
    for (uint32_t i = 0; i < ISLE_LAUNCH_ARGS; i++)
        args[i] = (isle_arg){ISLE_ARG_BYTES, 0, ISLE_LAUNCH_TAIL};
    memcpy(op, &head, sizeof head);
    memcpy(op + sizeof head, args, sizeof args);
    CHECK_EQ(0, begin("kernels"));
    command_begin(&k);
    command_bind(&k, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM);
    for (uint32_t i = 0; i < 58; i++) /* as many as this driver's commands have room for */
        command_bind(&k, MEMORY, i * 8, 8, ISLE_ACCESS_READ);
    command_op(&k, op, sizeof op);
    CHECK_EQ(sizeof k.bytes, k.length);
    CHECK_EQ(0, core_run(&core, CONTEXT, &k, NULL));
    end();
}

static void random_launches_are_taken_or_refused(void)
{
    static const uint64_t values[] = {0, 1, 2, 3, 4, 7, 8, 9, 24, 64, 65, 1024, 1025, UINT32_MAX, 1ull << 32, 1ull << 63, UINT64_MAX};
    uint32_t taken = 0;
    CHECK_EQ(0, begin("kernels"));
    for (uint64_t seed = 1; seed <= 20000; seed++) {
        uint64_t state = seed;
        struct command k;
        good(&k);
        for (uint64_t n = test_random(&state) % 3 + 1; n; n--) {
            uint64_t r = test_random(&state), v = r % 4 ? values[r / 4 % (sizeof values / sizeof values[0])] : test_random(&state);
            memcpy(k.bytes + OP + 8 + test_random(&state) % ((k.length - OP - 8) / 4 - 1) * 4, &v, test_random(&state) % 2 ? 4 : 8);
        }
        int rc = core_run(&core, CONTEXT, &k, NULL);
        CHECK(rc == 0 || rc == -EINVAL);
        taken += !rc;
    }
    CHECK(taken > 1000 && taken < 19000);
    end();
}

static void kernels_are_described(void)
{
    isle_kernel k;
    isle_describe_request q = {.program = PROGRAM};
    CHECK_EQ(0, begin("kernels"));
    CHECK_EQ(0, core_call(&core, ISLE_OP_DESCRIBE_KERNEL, &q, sizeof q));
    CHECK_EQ(sizeof k, core_body_length(&core));
    memcpy(&k, core_body(&core), sizeof k);
    CHECK(!strcmp(k.name, "sum") && k.arg_count == TEST_KERNEL_ARGS && k.args[2].bytes == 16 && k.local_bytes == 128);
    CHECK(!strcmp(k.needs_group_size, "barrier in function sum, line 3") && !*k.unusable);
    q.entry = 1;
    CHECK_EQ(0, core_call(&core, ISLE_OP_DESCRIBE_KERNEL, &q, sizeof q));
    memcpy(&k, core_body(&core), sizeof k);
    CHECK(!strcmp(k.unusable, "argument 0 (image2d_t) is an image"));
    q.entry = 2;
    CHECK_EQ(-ENOENT, core_call(&core, ISLE_OP_DESCRIBE_KERNEL, &q, sizeof q));
    q.program++;
    CHECK_EQ(-ESTALE, core_call(&core, ISLE_OP_DESCRIBE_KERNEL, &q, sizeof q));
    CHECK_EQ(-EINVAL, core_call(&core, ISLE_OP_DESCRIBE_KERNEL, &q, sizeof q - 4));
    end();
    CHECK_EQ(0, begin("kernels-lie"));
    q = (isle_describe_request){.program = PROGRAM};
    CHECK_EQ(-EPROTO, core_call(&core, ISLE_OP_DESCRIBE_KERNEL, &q, sizeof q));
    CHECK_EQ(0, core_body_length(&core));
    const isle_log_line *line = &core.channel->log[0];
    CHECK(line->seq && memmem(line->text, line->length, "kernel 0: name is wrong", 23));
    end();
}

static void every_field_of_a_description_is_checked(void)
{
#define AT(field) offsetof(isle_kernel, field)
#define ARG(i, field) (offsetof(isle_kernel, args) + (i) * sizeof(isle_kernel_arg) + offsetof(isle_kernel_arg, field))
    static const struct {
        size_t offset;
        uint32_t value;
        const char *field; /* NULL: allowed */
    } pokes[] = {
        {AT(name), 0, "name"}, {AT(entry), 1, "entry"}, {AT(arg_count), 65, "arg_count"}, {AT(arg_count), UINT32_MAX, "arg_count"},
        {AT(arg_count), 0, NULL}, {AT(arg_count), 4, "argument 3: kind"}, {AT(group_size), 8, "group_size"},
        {AT(max_group), 0, NULL}, {ARG(0, kind), 0, "argument 0: kind"}, {ARG(0, kind), 10, "argument 0: kind"},
        {ARG(0, kind), ISLE_ARG_LOCAL, "argument 0: access"}, {ARG(0, access), 0, "argument 0: access"},
        {ARG(0, access), 4, "argument 0: access"}, {ARG(0, access), 8 | 1, "argument 0: access"}, {ARG(0, bytes), 0, NULL},
        {ARG(0, bytes), 1025, "argument 0: bytes"}, {ARG(1, access), 1, "argument 1: access"}, {ARG(2, bytes), 0, "argument 2: bytes"},
        {ARG(2, bytes), 1025, "argument 2: bytes"}, {ARG(2, element), 8, "argument 2: element"},
        {ARG(2, element), 0, "argument 2: element"}, {ARG(2, lanes), 5, "argument 2: element"}, {ARG(2, lanes), 3, NULL},
        {ARG(2, kind), ISLE_ARG_F32, "argument 2: bytes"}, {ARG(1, element), ISLE_ARG_F32, "argument 1: element"},
    };
    isle_kernel good = {.name = "sum",
                        .arg_count = 3,
                        .args = {{.kind = ISLE_ARG_BUFFER, .access = 3, .bytes = 4, .element = ISLE_ARG_F32, .lanes = 1},
                                 {.kind = ISLE_ARG_LOCAL},
                                 {.kind = ISLE_ARG_BYTES, .bytes = 16, .element = ISLE_ARG_F32, .lanes = 4}}};
    char why[128];
    CHECK(kernel_ok(&good, 0, why, sizeof why));
    for (size_t i = 0; i < sizeof pokes / sizeof pokes[0]; i++) {
        isle_kernel k = good;
        memcpy((uint8_t *)&k + pokes[i].offset, &pokes[i].value, 4);
        *why = 0;
        bool ok = kernel_ok(&k, 0, why, sizeof why);
        if (ok != !pokes[i].field || (!ok && !strstr(why, pokes[i].field)))
            printf("  poke %zu: %s\n", i, why);
        CHECK(ok == !pokes[i].field && (ok || strstr(why, pokes[i].field)));
    }
    static const size_t texts[][2] = {{AT(name), sizeof good.name},
                                      {AT(needs_group_size), sizeof good.needs_group_size},
                                      {AT(unusable), sizeof good.unusable},
                                      {ARG(1, name), sizeof good.args[1].name},
                                      {ARG(1, type), sizeof good.args[1].type}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        isle_kernel k = good;
        memset((uint8_t *)&k + texts[i][0], 'x', texts[i][1]);
        CHECK(!kernel_ok(&k, 0, why, sizeof why));
    }
    isle_kernel k = good; /* together they are more than a tail has */
    k.args[0] = k.args[2];
    k.args[0].bytes = ISLE_LAUNCH_TAIL - 15;
    CHECK(!kernel_ok(&k, 0, why, sizeof why) && strstr(why, "argument 2: bytes"));
    k.args[0].bytes--;
    CHECK(kernel_ok(&k, 0, why, sizeof why));
    k.group_size[0] = k.group_size[1] = 1u << 16;
    k.group_size[2] = 1;
    CHECK(!kernel_ok(&k, 0, why, sizeof why) && strstr(why, "group_size"));
    k.group_size[1]--;
    CHECK(kernel_ok(&k, 0, why, sizeof why));
}

static void a_driver_without_the_entry_is_asked_for_nothing_new(void)
{
    struct command k;
    isle_alloc_response r;
    isle_describe_request q = {.program = PROGRAM};
    core_make(&core);
    CHECK_EQ(0, core_load(&core, "libsoftaccel.so"));
    CHECK_EQ(0, core_open(&core, NULL));
    CHECK_EQ(0, core_context(&core, CONTEXT, 0, NULL));
    CHECK_EQ(0, core_alloc(&core, CONTEXT, MEMORY, 4096, 0, &r));
    CHECK_EQ(0, core_program(&core, CONTEXT, PROGRAM, "noop"));
    CHECK_EQ(IO_NOT_SUPPORTED, core_call(&core, ISLE_OP_DESCRIBE_KERNEL, &q, sizeof q));
    good(&k);
    CHECK_EQ(IO_NOT_SUPPORTED, core_run(&core, CONTEXT, &k, NULL));
    for (uint32_t bit = ISLE_ACCESS_NO_COPY_IN; bit <= ISLE_ACCESS_NO_COPY_BACK; bit *= 2) {
        command_begin(&k);
        command_bind(&k, MEMORY, 0, 64, ISLE_ACCESS_WRITE | bit);
        CHECK_EQ(IO_NOT_SUPPORTED, core_run(&core, CONTEXT, &k, NULL));
    }
    CHECK_EQ(0, core.channel->violations);
    end();
}

static const struct test tests[] = {
    TEST(every_field_of_a_launch_is_checked),
    TEST(the_largest_launch_goes_through),
    TEST(random_launches_are_taken_or_refused),
    TEST(kernels_are_described),
    TEST(every_field_of_a_description_is_checked),
    TEST(a_driver_without_the_entry_is_asked_for_nothing_new),
};

int main(int argc, char **argv)
{
    return run_tests("launch", tests, sizeof tests / sizeof tests[0], argc, argv);
}
