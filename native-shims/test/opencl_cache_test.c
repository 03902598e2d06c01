/* Built programs on disk: what is found again, what is not believed, and how much is kept. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "opencl_fake.h"

static char folder[] = "/tmp/isle-opencl-test-XXXXXX";

static int begin(const char *settings)
{
    char all[256];
    snprintf(all, sizeof all, "cache_dir=%s%s%s", folder, settings ? "\n" : "", settings ? settings : "");
    return ocl_begin(all, NULL);
}

static int load(uint32_t which, const char *tail)
{
    char source[8192];
    int n = snprintf(source, sizeof source, "kernel void twice(); // %u %s", which, tail);
    return ocl_load(PROGRAM + which, ISLE_PROGRAM_OPENCL_C, source, (uint32_t)n);
}

/* Files that are kept; the last one's path, and their bytes together. */
static uint32_t kept(char *path, uint64_t *bytes)
{
    char in[128];
    static char name[512];
    struct stat at;
    uint32_t count = 0;
    snprintf(in, sizeof in, "%s/programs", folder);
    DIR *list = opendir(in);
    if (bytes)
        *bytes = 0;
    for (struct dirent *e; list && (e = readdir(list));) {
        if (*e->d_name == '.')
            continue;
        snprintf(name, sizeof name, "%s/%s", in, e->d_name);
        if (path)
            snprintf(path, 512, "%s", name);
        if (bytes && !stat(name, &at))
            *bytes += (uint64_t)at.st_size;
        count++;
    }
    if (list)
        closedir(list);
    return count;
}

static void empty(void)
{
    char path[512];
    while (kept(path, NULL))
        if (unlink(path))
            return;
}

static void a_program_is_compiled_once(void)
{
    CHECK_EQ(0, begin(NULL));
    int before = fake->compiled;
    CHECK_EQ(0, load(0, ""));
    CHECK_EQ(before + 1, fake->compiled);
    CHECK_EQ(0, load(1, ""));
    CHECK_EQ(before + 2, fake->compiled);
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(2, kept(NULL, NULL));
    CHECK_EQ(0, begin(NULL));
    CHECK_EQ(0, load(0, ""));
    CHECK_EQ(0, load(1, ""));
    CHECK_EQ(before + 2, fake->compiled);
    isle_program_entry e;
    CHECK_EQ(0, ocl_describe(PROGRAM, 0, &e));
    CHECK(!strcmp(e.name, "twice"));
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, begin("build_options=-DX=1")); /* another program, then */
    CHECK_EQ(0, load(0, ""));
    CHECK_EQ(before + 3, fake->compiled);
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, begin("units=2")); /* and of another device */
    CHECK_EQ(0, load(0, ""));
    CHECK_EQ(before + 4, fake->compiled);
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
    empty();
}

/* However long they are, and wherever they differ. */
static void other_options_make_another_program(void)
{
    static const char source[] = "kernel void twice();";
    char one[ISLE_OPTIONS_MAX + 1], other[ISLE_OPTIONS_MAX + 1];
    memset(one, 'x', sizeof one);
    memcpy(one, "-D", 2);
    one[ISLE_OPTIONS_MAX] = 0;
    memcpy(other, one, sizeof other);
    other[ISLE_OPTIONS_MAX - 1] = 'y';
    const char *const options[] = {"", "-DX=1", one, other};
    CHECK_EQ(0, begin(NULL));
    int before = fake->compiled;
    for (uint32_t i = 0; i < 8; i++) {
        CHECK_EQ(0, ocl_build(PROGRAM + i, ISLE_PROGRAM_OPENCL_C, options[i % 4], source, sizeof source - 1));
        CHECK_EQ(before + (i < 4 ? (int)i + 1 : 4), fake->compiled);
    }
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(4, kept(NULL, NULL));
    CHECK_EQ(0, fake->live);
    empty();
}

static void what_failed_is_not_kept(void)
{
    CHECK_EQ(0, begin(NULL));
    CHECK_EQ(-EINVAL, load(0, "bad"));
    CHECK_EQ(0, kept(NULL, NULL));
    CHECK_EQ(0, ocl_end());
}

/* Cut at every length, and with every byte of the head and some of the binary turned. */
static void a_damaged_file_is_built_anew(void)
{
    char path[512];
    uint8_t whole[512], again[512];
    CHECK_EQ(0, begin(NULL));
    CHECK_EQ(0, load(0, ""));
    CHECK_EQ(1, kept(path, NULL));
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t size = read(fd, whole, sizeof whole);
    close(fd);
    CHECK(size > 48 && size < (ssize_t)sizeof whole);
    for (ssize_t at = 0; at < 2 * size; at++) {
        uint8_t bad[512];
        bool cut = at >= size;
        int before = fake->compiled;
        uint64_t id = PROGRAM;
        memcpy(bad, whole, (size_t)size);
        bad[at % size] ^= 0x40;
        fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
        CHECK(fd >= 0 && write(fd, cut ? whole : bad, (size_t)(cut ? at - size : size)) == (cut ? at - size : size));
        close(fd);
        CHECK_EQ(0, core_call(&ocl, ISLE_OP_UNLOAD_PROGRAM, &id, sizeof id));
        CHECK_EQ(0, load(0, ""));
        CHECK_EQ(before + 1, fake->compiled);
        fd = open(path, O_RDONLY | O_CLOEXEC);
        CHECK_EQ(size, read(fd, again, sizeof again));
        close(fd);
        CHECK(!memcmp(whole, again, (size_t)size));
    }
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
    empty();
}

/* What the library itself refuses, although it is as it was written. */
static void a_binary_that_is_refused_is_built_anew(void)
{
    CHECK_EQ(0, begin(NULL));
    int before = fake->compiled;
    CHECK_EQ(0, load(0, ""));
    CHECK_EQ(0, ocl_end());
    fake->refuse_binaries = 1;
    CHECK_EQ(0, begin(NULL));
    CHECK_EQ(0, load(0, ""));
    CHECK_EQ(before + 2, fake->compiled);
    CHECK_EQ(0, ocl_end());
    fake->refuse_binaries = 0;
    CHECK_EQ(0, fake->live);
    empty();
}

static void the_folder_does_not_grow_without_end(void)
{
    static char tail[1000];
    uint64_t bytes;
    memset(tail, 'x', sizeof tail - 1);
    CHECK_EQ(0, begin("cache_bytes=4096"));
    for (uint32_t i = 0; i < 20; i++) {
        CHECK_EQ(0, load(i, tail));
        CHECK(kept(NULL, &bytes) && bytes <= 4096);
    }
    CHECK_EQ(3, kept(NULL, NULL));
    int before = fake->compiled;
    uint64_t id = PROGRAM + 19;
    CHECK_EQ(0, core_call(&ocl, ISLE_OP_UNLOAD_PROGRAM, &id, sizeof id));
    CHECK_EQ(0, load(19, tail)); /* the newest is there */
    CHECK_EQ(before, fake->compiled);
    static char huge[5000];
    memset(huge, 'y', sizeof huge - 1);
    CHECK_EQ(0, load(30, huge)); /* what is too large is not kept, and drives out nothing */
    CHECK_EQ(3, kept(NULL, NULL));
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, begin("cache_bytes=0"));
    empty();
    CHECK_EQ(0, load(0, ""));
    CHECK_EQ(0, kept(NULL, NULL));
    CHECK_EQ(0, ocl_end());
    CHECK_EQ(0, fake->live);
}

/* Loads the same programs again and again, each round in another order; what went wrong. */
static int hammer(uint32_t seed, const char *tail)
{
    int wrong = 0;
    if (begin("cache_bytes=16384"))
        return 1;
    for (uint32_t i = 0; i < 200; i++) {
        uint32_t which = (i * (2 * seed + 1) + seed) % 24;
        uint64_t id = PROGRAM + which;
        wrong += load(which, tail) != 0;
        wrong += core_call(&ocl, ISLE_OP_UNLOAD_PROGRAM, &id, sizeof id) != 0;
    }
    return wrong + (ocl_end() != 0);
}

/* Hosts of several devices, and of several instances, share the folder. */
static void several_processes_write_at_once(void)
{
    enum { WRITERS = 4 };
    static char tail[1000];
    char path[512];
    pid_t writers[WRITERS];
    uint64_t bytes;
    memset(tail, 'x', sizeof tail - 1);
    for (uint32_t i = 0; i < WRITERS; i++) {
        writers[i] = fork();
        CHECK(writers[i] >= 0);
        if (!writers[i])
            _exit(hammer(i, tail) != 0);
    }
    for (uint32_t i = 0; i < WRITERS; i++) {
        int status = -1;
        CHECK_EQ(writers[i], waitpid(writers[i], &status, 0));
        CHECK_EQ(0, status);
    }
    CHECK(kept(path, &bytes) > 0 && bytes <= 16384 + WRITERS * 2048); /* each may not have seen the newest file of the others */
    CHECK(!strstr(path, "/new-"));
    CHECK_EQ(0, begin("cache_bytes=16384"));
    CHECK_EQ(0, load(99, tail));
    CHECK(kept(NULL, &bytes) && bytes <= 16384);
    int before = fake->compiled, whole = 0;
    for (uint32_t i = 0; i < 24; i++)
        CHECK_EQ(0, load(i, tail));
    whole = 24 - (fake->compiled - before);
    CHECK(whole > 0); /* and what is kept is good */
    CHECK_EQ(0, ocl_end());
    empty();
}

static void without_a_folder_programs_run_all_the_same(void)
{
    CHECK_EQ(0, ocl_begin("cache_dir=/proc/no-such-folder", NULL));
    CHECK_EQ(0, load(0, ""));
    CHECK_EQ(0, ocl_end());
    setenv("ISLE_DRIVER_CACHE", folder, 1); /* as a host says it */
    CHECK_EQ(0, ocl_begin(NULL, NULL));
    CHECK_EQ(0, load(0, ""));
    CHECK_EQ(0, ocl_end());
    unsetenv("ISLE_DRIVER_CACHE");
    CHECK_EQ(1, kept(NULL, NULL));
    empty();
}

/* A kernel that took over its process may leave one there for others; nobody waits for its other end. */
static void a_pipe_is_no_program(void)
{
    char path[512];
    struct stat at;
    CHECK_EQ(0, begin(NULL));
    CHECK_EQ(0, load(0, ""));
    CHECK_EQ(1, kept(path, NULL));
    CHECK(!unlink(path) && !mkfifo(path, 0600));
    int before = fake->compiled;
    uint64_t id = PROGRAM;
    CHECK_EQ(0, core_call(&ocl, ISLE_OP_UNLOAD_PROGRAM, &id, sizeof id));
    alarm(60);
    CHECK_EQ(0, load(0, ""));
    alarm(0);
    CHECK_EQ(before + 1, fake->compiled);
    CHECK(!stat(path, &at) && S_ISREG(at.st_mode));
    CHECK_EQ(0, ocl_end());
    empty();
}

static const struct test tests[] = {
    TEST(a_program_is_compiled_once),
    TEST(other_options_make_another_program),
    TEST(what_failed_is_not_kept),
    TEST(a_damaged_file_is_built_anew),
    TEST(a_pipe_is_no_program),
    TEST(a_binary_that_is_refused_is_built_anew),
    TEST(the_folder_does_not_grow_without_end),
    TEST(several_processes_write_at_once),
    TEST(without_a_folder_programs_run_all_the_same),
};

int main(int argc, char **argv)
{
    char path[128];
    if (!fake_find() || !mkdtemp(folder))
        return 2;
    int rc = run_tests("opencl_cache", tests, sizeof tests / sizeof tests[0], argc, argv);
    empty();
    snprintf(path, sizeof path, "%s/programs", folder);
    rmdir(path);
    snprintf(path, sizeof path, "%s/library", folder);
    rmdir(path);
    rmdir(folder);
    return rc;
}
