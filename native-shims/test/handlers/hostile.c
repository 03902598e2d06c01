/* Does what the first byte of the packet says; the second word is an argument. */
#include <assert.h>
#include <handler.h>
#include <packets.h>
#include <spin_host.h>

#include "hostile.h"

static uint32_t deep(uint32_t n)
{
    volatile char room[512];
    room[n % 512] = 1;
    if (n == UINT32_MAX)
        return 0;
    return deep(n + 1) + (uint32_t)room[n % 512];
}

static void with_flags(uint32_t flags)
{
    uint64_t flags64;
    __asm__ volatile("pushfq\npopq %0" : "=r"(flags64));
    flags64 |= flags;
    __asm__ volatile("pushq %0\npopfq" : : "r"(flags64) : "cc");
}

static int64_t system_call(int64_t number, int64_t a, int64_t b, int64_t c, int64_t d)
{
    int64_t result;
    register int64_t r10 __asm__("r10") = d;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10) : "rcx", "r11", "memory");
    return result;
}

static void fault(uint32_t action, uint32_t argument)
{
    volatile uint32_t zero = 0;
    switch (action) {
    case HOSTILE_READ:
        (void)*(volatile uint32_t *)argument;
        break;
    case HOSTILE_WRITE:
        *(volatile uint32_t *)argument = 1;
        break;
    case HOSTILE_DIVIDE:
        zero = argument / zero;
        break;
    case HOSTILE_ILLEGAL:
        __asm__ volatile("ud2");
        break;
    case HOSTILE_BREAK:
        __asm__ volatile("int3");
        break;
    case HOSTILE_JUMP:
        ((void (*)(void))argument)();
        break;
    case HOSTILE_DEEP:
        deep(0);
        break;
    case HOSTILE_STACK:
        __asm__ volatile("movl %0, %%esp\npushq %%rax" : : "r"(argument) : "memory");
        break;
    }
}

static void endless(handler_args_t *args, uint32_t action)
{
    static const uint64_t all = UINT64_MAX;
    ((volatile uint8_t *)args->task->handler_mem)[HOSTILE_BEGUN + args->hpu_gid] = 1;
    for (;;) {
        if (action == HOSTILE_SENDS)
            spin_send_packet(args->task->pkt_mem, 64, NULL);
        else if (action == HOSTILE_PRINTS)
            printf("flood\n");
        else if (action == HOSTILE_CALLS)
            cycles();
        else if (action == HOSTILE_LOCK)
            spin_lock_lock(args->task->handler_mem);
        else if (action == HOSTILE_DEAF)
            system_call(14, 0, (int64_t)(uintptr_t)&all, 0, 8);
    }
}

static void outside(handler_args_t *args, uint32_t at)
{
    uint64_t host = HOST_ADDR(args), end = host + args->task->host_mem_size;
    uint32_t here = (uint32_t)(uintptr_t)args->task->pkt_mem;
    int failed = 0;
    failed += spin_send_packet((void *)(uintptr_t)at, 64, NULL);
    failed += spin_send_packet(args->task->pkt_mem, 0, NULL);
    failed += spin_send_packet(args->task->pkt_mem, 1537, NULL);
    failed += spin_send_packet(args->task->pkt_mem, UINT32_MAX, NULL);
    failed += spin_dma_to_host(host, at, 64, 0, NULL);
    failed += spin_dma_to_host(host - 1, here, 64, 0, NULL);
    failed += spin_dma_to_host(end - 63, here, 64, 0, NULL);
    failed += spin_dma_to_host(UINT64_MAX, here, 64, 0, NULL);
    failed += spin_dma_from_host(host, at, 64, 0, NULL);
    failed += spin_dma_from_host(host, (uint32_t)(uintptr_t)&outside, 64, 0, NULL);
    failed += spin_dma_from_host(end, here, 1, 0, NULL);
    failed += spin_write_to_host(end - 7, 1, NULL);
    failed += spin_write_to_host(0xdeadbeef, 1, NULL);
    failed += spin_dma((void *)(uintptr_t)at, args->task->pkt_mem, 8, 0, 0, NULL);
    failed += spin_dma(args->task->pkt_mem, (void *)(uintptr_t)at, 8, 0, 0, NULL);
    failed += spin_rdma_put(0, args->task->pkt_mem, 8, NULL);
    failed += store_conditional((void *)(uintptr_t)at, 1);
    printf("%d failed\n", failed);
}

static void reserve(handler_args_t *args)
{
    volatile uint32_t *word = args->task->handler_mem;
    *word = 5;
    uint32_t was = load_reserved(word);
    unsigned first = store_conditional(word, 6), second = store_conditional(word, 7);
    load_reserved(word);
    amo_store(word, 9);
    unsigned broken = store_conditional(word, 8);
    printf("%u %u %u %u %u %d %d\n", (unsigned)was, first, second, broken, (unsigned)*word, compare_and_swap(word, 9, 10), compare_and_swap(word, 9, 11));
}

__handler__ void hostile_ph(handler_args_t *args)
{
    uint32_t *packet = args->task->pkt_mem, action = *(uint8_t *)packet, argument = packet[1];
    if (action <= HOSTILE_STACK)
        fault(action, argument);
    else if (action < HOSTILE_OUTSIDE)
        endless(args, action);
    else if (action == HOSTILE_OUTSIDE)
        outside(args, argument);
    else if (action == HOSTILE_RESERVE)
        reserve(args);
    else if (action == HOSTILE_EXIT)
        exit(1);
    else if (action == HOSTILE_ASSERT)
        assert(argument == 12345);
    else if (action == HOSTILE_WAIT)
        fpspin_host_req(args, 0);
    else if (action == HOSTILE_FLAGS)
        with_flags(argument), cycles();
    else if (action == HOSTILE_SHALLOW)
        __asm__ volatile("movl %0, %%esp\ncall isle_cycles" : : "r"(argument) : "memory");
    else if (action == HOSTILE_CONTROL)
        __asm__ volatile("fldcw %0\nldmxcsr %1\nstd" : : "m"(*(uint16_t *)&argument), "m"(argument) : "memory");
    else if (action == HOSTILE_CALL)
        printf("%d\n", (int)system_call(argument, 0, 0, 0, 0));
}
