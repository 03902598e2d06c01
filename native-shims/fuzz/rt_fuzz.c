/*
 * libFuzzer against driver-rt with the software accelerator behind it: an input is a list of records {u8 what, u16 length, bytes}, each a
 * control message's body (what: its op), an envelope to be submitted (0) or a preemption (255). Nothing may crash, whatever they say, and
 * every submission that was taken ends once.
 */
#include <stdlib.h>

#include "soft_harness.h"

#define MOST_RECORDS 64

/* PROGRAM, PROGRAM + 1 ... */
static const char *const programs[] = {"sha256",     "histogram", "copy",   "convolve-u8", "convolve-f32",
                                       "matmul-f32", "matmul-i8", "reduce", "sort"};

static bool load_programs(void)
{
    for (uint32_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        if (core_program(&soft, CONTEXT, PROGRAM + i, programs[i]))
            return false;
    return true;
}

static bool begin(void)
{
    static uint8_t *heaps[2];
    if (!soft.rt) {
        core_make(&soft);
        if (core_load(&soft, "libsoftaccel.so") || core_heap(&soft, 16, 1 << 20, &heaps[0]) || core_heap(&soft, 17, 1 << 20, &heaps[1]))
            abort();
    }
    /* a record may have taken one away */
    isle_rt_add_segment(soft.rt, ISLE_SEGMENT_COMMANDS, soft.commands, TEST_COMMANDS, 0);
    isle_rt_add_segment(soft.rt, ISLE_SEGMENT_DOORBELL, soft.doorbell, 4096, 1);
    isle_rt_add_segment(soft.rt, ISLE_SEGMENT_AGENT, soft.agent, 4096, 0);
    isle_rt_add_segment(soft.rt, ISLE_SEGMENT_SOURCE, heaps[1], 1 << 20, 0);
    isle_rt_add_segment(soft.rt, 16, heaps[0], 1 << 20, 1);
    isle_rt_add_segment(soft.rt, 17, heaps[1], 1 << 20, 1);
    isle_alloc_response r;
    return !core_open(&soft, "compute_units=2\nmemory_bytes=1MiB\nmax_contexts=4") && !core_context(&soft, CONTEXT, 16, NULL) &&
           !core_alloc(&soft, CONTEXT, A, 65536, VISIBLE, &r) && !core_alloc(&soft, CONTEXT, B, 65536, 0, &r) &&
           load_programs();
}

static uint32_t act(uint8_t what, const uint8_t *bytes, uint16_t length, uint32_t index)
{
    struct command k = {.length = length < sizeof k.bytes ? length : (uint32_t)sizeof k.bytes};
    uint64_t tag;
    uint32_t word = 0;
    if (what == 255) {
        memcpy(&word, bytes, length < sizeof word ? length : sizeof word);
        isle_rt_preempt(soft.rt, CONTEXT, word);
    } else if (what) {
        core_call(&soft, what, bytes, length);
    } else {
        memcpy(k.bytes, bytes, k.length);
        return core_submit(&soft, CONTEXT, &k, index, &tag) == 0;
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    isle_completion_slot s;
    uint32_t taken = 0, ended = 0;
    if (!begin())
        abort();
    for (uint32_t i = 0; i < MOST_RECORDS && size >= 3; i++) {
        uint16_t length;
        memcpy(&length, data + 1, sizeof length);
        length = length < size - 3 ? length : (uint16_t)(size - 3);
        taken += act(*data, data + 3, length, i);
        data += 3 + length;
        size -= 3u + length;
    }
    core_call(&soft, ISLE_OP_CLOSE, NULL, 0);
    while (core_next(&soft, 0, &s))
        ended++;
    if (taken != ended)
        abort();
    return 0;
}
