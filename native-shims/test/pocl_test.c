/* The OpenCL driver on the first device that OpenCL has here, in a host in its sandbox; without one there is nothing to test. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "futex.h"
#include "pocl_harness.h"

static const char scale[] = "kernel void scale(global const float *in, global float *out, float by)\n"
                            "{\n"
                            "    size_t i = get_global_id(0);\n"
                            "    out[i] = in[i] * by;\n"
                            "}\n"
                            "kernel void spin(global uint *out, ulong rounds)\n"
                            "{\n"
                            "    uint x = 1;\n"
                            "    for (ulong i = 0; i < rounds; i++)\n"
                            "        x = x * 1664525u + 1013904223u;\n"
                            "    out[get_global_id(0)] = x;\n"
                            "}\n"
                            "kernel void stray(global uint *out, ulong at)\n"
                            "{\n"
                            "    out[at] = 1;\n"
                            "}\n";
enum { SCALE = 0, SPIN = 1, STRAY = 2 };

static int load_scale(void)
{
    return ocl_load(PROGRAM, ISLE_PROGRAM_OPENCL_C, scale, sizeof scale - 1);
}

static void run(struct command *k, uint32_t entry, uint32_t x, uint32_t kind, uint64_t scalar)
{
    isle_arg args[3];
    uint32_t n = 0;
    command_begin(k);
    command_bind(k, A, 0, 4096, READ_);
    command_bind(k, B, 0, 4096, WRITE_);
    command_bind(k, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM);
    if (entry == SCALE)
        args[n++] = (isle_arg){ISLE_ARG_BUFFER, 0, 0};
    args[n++] = (isle_arg){ISLE_ARG_BUFFER, 1, 0};
    args[n++] = (isle_arg){kind, 0, scalar};
    ocl_dispatch(k, 2, entry == SCALE ? 0 : entry, x, n, args);
}

/* Threads of the host that may run on one processor only; where to is added to `processors`. */
static int pinned_threads(DIR *threads, cpu_set_t *processors)
{
    int count = 0;
    for (const struct dirent *e = readdir(threads); e; e = readdir(threads)) {
        cpu_set_t allowed;
        if (atoi(e->d_name) <= 0 || sched_getaffinity(atoi(e->d_name), sizeof allowed, &allowed) || CPU_COUNT(&allowed) != 1)
            continue;
        CPU_OR(processors, processors, &allowed);
        count++;
    }
    return count;
}

static void each_worker_has_a_processor_of_its_own(void)
{
    char path[64];
    cpu_set_t own, taken;
    CPU_ZERO(&taken);
    CHECK_EQ(0, sched_getaffinity(0, sizeof own, &own));
    if (CPU_COUNT(&own) < 2 || CPU_COUNT(&own) != sysconf(_SC_NPROCESSORS_CONF))
        return; /* then the kernel places them */
    CHECK_EQ(0, pocl_begin("memory=shared"));
    CHECK_EQ(0, load_scale());
    struct command k;
    CHECK(ocl_memory(A, 4096) && ocl_memory(B, 4096));
    run(&k, SCALE, 1024, ISLE_ARG_F32, 0);
    CHECK_EQ(0, core_run(&ocl, CONTEXT, &k, NULL));
    snprintf(path, sizeof path, "/proc/%d/task", ocl.host_pid);
    DIR *threads = opendir(path);
    CHECK(threads != NULL);
    CHECK(pinned_threads(threads, &taken) >= CPU_COUNT(&own));
    CHECK(CPU_EQUAL(&own, &taken));
    closedir(threads);
    pocl_stop();
}

static void a_program_of_a_tenant_runs(void)
{
    static const char *const settings[] = {"memory=shared", "memory=staging"};
    for (int way = 0; way < 2; way++) {
        struct command k;
        isle_completion_slot done;
        uint32_t by;
        CHECK_EQ(0, pocl_begin(settings[way]));
        float *a = (void *)ocl_memory(A, 4096), *b = (void *)ocl_memory(B, 4096);
        CHECK(a && b);
        CHECK_EQ(0, load_scale());
        for (int i = 0; i < 1024; i++)
            a[i] = (float)i;
        memcpy(&by, &(float){2.5f}, 4);
        run(&k, SCALE, 1024, ISLE_ARG_F32, by);
        uint64_t before = clock_ns();
        CHECK_EQ(0, core_run(&ocl, CONTEXT, &k, &done));
        for (int i = 0; i < 1024; i++)
            CHECK(b[i] == (float)i * 2.5f);
        CHECK(done.start_ns >= before && done.end_ns > done.start_ns && done.end_ns <= clock_ns());
        CHECK(done.busy_ns > 0 && done.busy_ns <= done.end_ns - done.start_ns);
        pocl_stop();
    }
}

/* In the order of their names. */
static void kernels_are_described(void)
{
    isle_program_entry e;
    CHECK_EQ(0, pocl_begin(NULL));
    CHECK_EQ(0, load_scale());
    CHECK_EQ(0, ocl_describe(PROGRAM, 0, &e));
    CHECK(!strcmp(e.name, "scale") && e.arg_count == 3 && e.arg_kinds[2] == ISLE_ARG_F32);
    CHECK(e.arg_access[0] == READ_ && e.arg_access[1] == (READ_ | WRITE_));
    CHECK_EQ(0, ocl_describe(PROGRAM, 1, &e));
    CHECK(!strcmp(e.name, "spin") && e.arg_kinds[1] == ISLE_ARG_U64);
    CHECK_EQ(0, ocl_describe(PROGRAM, 2, &e));
    CHECK(!strcmp(e.name, "stray"));
    static const char wrong[] = "kernel void f(global int *a) { a[0] = nothing; }";
    CHECK_EQ(-EINVAL, ocl_load(PROGRAM + 1, ISLE_PROGRAM_OPENCL_C, wrong, sizeof wrong - 1));
    CHECK(strstr(ocl_log, "nothing"));
    CHECK(strstr(ocl_log, "program.cl:1:"));
    CHECK(!strstr(ocl_log, "tempfile"));
    static const char named[] = "#line 1 \"mine.cl\"\n\nkernel void f(global int *a) { a[0] = nothing; }";
    CHECK_EQ(-EINVAL, ocl_load(PROGRAM + 1, ISLE_PROGRAM_OPENCL_C, named, sizeof named - 1));
    CHECK(strstr(ocl_log, "mine.cl:2:"));
    CHECK(!strstr(ocl_log, "tempfile"));
    static const char marked[] = "\xef\xbb\xbfkernel void f(global int *a) { a[0] = 1; }";
    CHECK_EQ(0, ocl_load(PROGRAM + 3, ISLE_PROGRAM_OPENCL_C, marked, sizeof marked - 1));
    /* of these, one has what a dispatch cannot say, and one what no launch can */
    static const char half[] = "kernel void g(global const short *a, constant int *b, char c) {}\n"
                               "kernel void h(global float4 *a, float4 b) { a[0] = b; }\n"
                               "kernel void i(read_only image2d_t a) {}";
    CHECK_EQ(0, ocl_load(PROGRAM + 2, ISLE_PROGRAM_OPENCL_C, half, sizeof half - 1));
    CHECK(strstr(ocl_log, "kernel i cannot be used: argument 0 (image2d_t) is an image") && !strstr(ocl_log, "kernel h"));
    CHECK_EQ(0, ocl_describe(PROGRAM + 2, 0, &e));
    CHECK(!strcmp(e.name, "g") && e.arg_access[0] == READ_ && e.arg_access[1] == READ_ && e.arg_kinds[2] == ISLE_ARG_I32);
    CHECK_EQ(-ENOENT, ocl_describe(PROGRAM + 2, 1, &e));
    pocl_stop();
}

static void device_time_is_told(void)
{
    struct command k;
    isle_completion_slot done;
    CHECK_EQ(0, pocl_begin(NULL));
    CHECK(ocl_memory(A, 4096) && ocl_memory(B, 4096));
    CHECK_EQ(0, load_scale());
    run(&k, SPIN, 1, ISLE_ARG_U64, 1000);
    CHECK_EQ(0, core_run(&ocl, CONTEXT, &k, NULL)); /* the first run builds the kernel for its size */
    run(&k, SPIN, 1, ISLE_ARG_U64, 20000000);
    uint64_t before = clock_ns();
    CHECK_EQ(0, core_run(&ocl, CONTEXT, &k, &done));
    uint64_t took = clock_ns() - before;
    CHECK(done.busy_ns > 1000000 && done.busy_ns <= took);
    CHECK(done.start_ns >= before && done.end_ns - done.start_ns <= took);
    const isle_started *told = (const void *)((const uint8_t *)ocl.channel + ocl.channel->started_offset);
    CHECK(told->start_ns >= before && told->start_ns <= done.end_ns);
    pocl_stop();
}

static void a_stray_write_ends_its_own_host(void)
{
    struct command k;
    uint64_t tag;
    CHECK_EQ(0, pocl_begin(NULL));
    CHECK(ocl_memory(A, 4096) && ocl_memory(B, 4096));
    CHECK_EQ(0, load_scale());
    run(&k, STRAY, 1, ISLE_ARG_U64, 1ull << 40);
    CHECK_EQ(0, core_submit(&ocl, CONTEXT, &k, 0, &tag));
    int status = core_host_reap(&ocl, 60000);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    core_free(&ocl);
    CHECK_EQ(0, pocl_begin(NULL));
    pocl_stop();
}

static void a_kernel_that_does_not_end_hangs_its_own_host(void)
{
    struct command k;
    uint64_t tag, id = CONTEXT;
    CHECK_EQ(0, pocl_begin("reset_wait_ms=100"));
    CHECK(ocl_memory(A, 4096) && ocl_memory(B, 4096));
    CHECK_EQ(0, load_scale());
    run(&k, SPIN, 1, ISLE_ARG_U64, 1000);
    CHECK_EQ(0, core_run(&ocl, CONTEXT, &k, NULL));
    run(&k, SPIN, 1, ISLE_ARG_U64, 1ull << 50);
    isle_started *told = (void *)((uint8_t *)ocl.channel + ocl.channel->started_offset);
    uint64_t was = told->start_ns;
    CHECK_EQ(0, core_submit(&ocl, CONTEXT, &k, 0, &tag));
    for (uint64_t until = clock_ns() + 20000000000ull; __atomic_load_n(&told->start_ns, __ATOMIC_ACQUIRE) == was; usleep(100))
        CHECK(clock_ns() < until);
    CHECK_EQ(-EBUSY, core_call(&ocl, ISLE_OP_RESET_CONTEXT, &id, sizeof id));
    pocl_stop();
    CHECK_EQ(0, pocl_begin(NULL));
    pocl_stop();
}

static void a_built_program_is_kept_on_disk(void)
{
    char path[256], garbage[64] = "not a program";
    struct stat first, second;
    while (pocl_kept(path, sizeof path)) /* of other tests */
        CHECK_EQ(0, unlink(path));
    CHECK_EQ(0, pocl_begin(NULL));
    CHECK_EQ(0, load_scale());
    pocl_stop();
    CHECK_EQ(1, pocl_kept(path, sizeof path));
    CHECK_EQ(0, stat(path, &first));
    CHECK_EQ(0, pocl_begin(NULL));
    CHECK_EQ(0, load_scale());
    pocl_stop();
    CHECK_EQ(1, pocl_kept(path, sizeof path));
    CHECK_EQ(0, stat(path, &second));
    CHECK_EQ(first.st_ino, second.st_ino);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    CHECK(fd >= 0 && pwrite(fd, garbage, sizeof garbage, first.st_size / 2) == sizeof garbage);
    close(fd);
    struct command k;
    CHECK_EQ(0, pocl_begin(NULL));
    CHECK(ocl_memory(A, 4096) && ocl_memory(B, 4096));
    CHECK_EQ(0, load_scale());
    run(&k, SPIN, 1, ISLE_ARG_U64, 1);
    CHECK_EQ(0, core_run(&ocl, CONTEXT, &k, NULL));
    pocl_stop();
    CHECK_EQ(0, stat(path, &second));
    CHECK(first.st_ino != second.st_ino);
    CHECK_EQ(1, pocl_kept(path, sizeof path));
}

static const struct test tests[] = {
    TEST(each_worker_has_a_processor_of_its_own),
    TEST(a_program_of_a_tenant_runs),
    TEST(kernels_are_described),
    TEST(device_time_is_told),
    TEST(a_stray_write_ends_its_own_host),
    TEST(a_kernel_that_does_not_end_hangs_its_own_host),
    TEST(a_built_program_is_kept_on_disk),
};

int main(int argc, char **argv)
{
    return pocl_main("pocl", tests, sizeof tests / sizeof tests[0], argc, argv);
}
