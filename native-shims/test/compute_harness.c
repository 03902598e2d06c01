#include "compute_harness.h"

#include <errno.h>
#include <sys/mman.h>

#define PAGE 4096u
#define MEMORY(i) core_id(ISLE_KIND_MEMORY, 1, 10 + (i))

struct place place[COMPUTE_BUFFERS];
static uint8_t *room[COMPUTE_BUFFERS];

const char *const compute_ways[COMPUTE_WAYS] = {"compute_units=1\nsimd=portable", "compute_units=4\nsimd=portable",
                                                "compute_units=1\nsimd=avx2", "compute_units=3\nsimd=auto",
                                                "compute_units=2\nsimd=avx512", "compute_units=2\nsimd=auto"};

/* Page by page upwards: a page for nobody, a buffer, a page for nobody ... */
static int make_rooms(void)
{
    for (uint32_t i = 0; i <= 2 * COMPUTE_BUFFERS; i++) {
        uint8_t *at = soft_memory(MEMORY(i), i % 2 ? COMPUTE_ROOM : PAGE);
        if (!at)
            return -ENOMEM;
        if (i % 2)
            room[i / 2] = at;
        else if (mprotect(at, PAGE, PROT_NONE) || (i && at != room[i / 2 - 1] + COMPUTE_ROOM))
            return -EFAULT;
    }
    return 0;
}

int compute_open(const char *settings, const char *program)
{
    int rc = soft_begin(settings, NULL);
    rc = rc ? rc : core_program(&soft, CONTEXT, PROGRAM, program);
    return rc ? rc : make_rooms();
}

bool compute_begin(int way, const char *program)
{
    const char *usual = soft_library;
    soft_library = way == COMPUTE_WIDE ? "libsoftwide.so" : usual;
    int rc = compute_open(compute_ways[way], program);
    soft_library = usual;
    if (rc == IO_NOT_SUPPORTED) {
        printf("  not on this CPU: %s\n", strchr(compute_ways[way], '\n') + 1);
        soft_end();
        return false;
    }
    if (!rc)
        return true;
    printf("  opening failed with %d\n", rc);
    test_failures++;
    return false;
}

void *compute_place(uint32_t buffer, uint64_t length, bool at_end)
{
    uint64_t offset = at_end ? COMPUTE_ROOM - length : 0;
    place[buffer] = (struct place){room[buffer] + offset, offset, length, buffer ? READ_ | WRITE_ : READ_};
    return place[buffer].at;
}

void compute_command(struct command *k, uint32_t buffers, const isle_arg *scalars, uint32_t count)
{
    isle_arg args[16];
    command_begin(k);
    for (uint32_t i = 0; i < buffers; i++)
        args[i] = (isle_arg){ISLE_ARG_BUFFER, command_bind(k, MEMORY(2 * i + 1), place[i].offset, place[i].length, place[i].access), 0};
    for (uint32_t i = 0; i < count; i++)
        args[buffers + i] = scalars[i];
    command_dispatch(k, command_bind(k, PROGRAM, 0, 0, ISLE_ACCESS_PROGRAM), buffers + count, args);
}

int compute_run(uint32_t buffers, const uint32_t *scalars, uint32_t count)
{
    struct command k;
    isle_arg args[16];
    for (uint32_t i = 0; i < count; i++)
        args[i] = (isle_arg){ISLE_ARG_U32, 0, scalars[i]};
    compute_command(&k, buffers, args, count);
    return core_run(&soft, CONTEXT, &k, NULL);
}

float compute_float(uint64_t *state)
{
    return (float)(int32_t)(test_random(state) >> 40) / (1 << 23) - 1;
}

uint32_t compute_below(uint64_t *state, uint32_t n)
{
    return (uint32_t)(test_random(state) % n);
}

uint32_t compute_buffers(const char *program)
{
    return !strcmp(program, "sort") ? 1 : !strcmp(program, "reduce") ? 2 : 3;
}

uint32_t compute_scalars(const char *program)
{
    return !strcmp(program, "convolve-u8")    ? 6
           : !strcmp(program, "convolve-f32") ? 5
           : !strcmp(program, "reduce")       ? 2
           : !strcmp(program, "sort")         ? 1
                                              : 3;
}

uint8_t *compute_prepare(const struct dispatch *r, bool at_end, uint8_t *was)
{
    uint32_t buffers = compute_buffers(r->program);
    uint8_t *last = NULL;
    for (uint32_t i = 0; i < buffers; i++) {
        last = compute_place(i, r->bytes[i], at_end && r->bytes[i] % 8 == 0);
        for (uint64_t e = 0; e < r->bytes[i]; e++)
            last[e] = (uint8_t)(200 - e / 4 * 3);
    }
    if (buffers == 1)
        place[0].access = READ_ | WRITE_;
    memcpy(was, last, r->bytes[buffers - 1]);
    return last;
}
