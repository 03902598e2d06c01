/* Requests to the program on the host: a page of host memory an HPU, whose first word tells of a request. */
#ifndef SPIN_HOST_H
#define SPIN_HOST_H

#include <stdio.h>

#include "handler.h"

/* Whether handlers leave work to the host. */
#ifndef DO_HOST
#define DO_HOST 0
#endif

typedef struct {
    union {
        struct {
            uint8_t dma_id;
            uint32_t len;
            uint16_t hpu_id;
        } __attribute__((packed));
        uint64_t data;
    };
} fpspin_flag_t;
static_assert(sizeof(fpspin_flag_t) == sizeof(uint64_t), "a flag is one word");

#define HPU_ID(args) ((args)->hpu_gid)
#define HOST_ADDR(args) (((uint64_t)(args)->task->host_mem_high << 32) | (args)->task->host_mem_low)
#define HOST_ADDR_HPU(args) (HOST_ADDR(args) + HPU_ID(args) * PAGE_SIZE)
#define DMA_BUS_WIDTH 512
#define DMA_ALIGN (DMA_BUS_WIDTH / 8)
/* where the payload of a request lies */
#define HOST_PLD_ADDR(args) (HOST_ADDR_HPU(args) + DMA_ALIGN)

/* The newest request of each HPU. */
extern volatile uint8_t dma_idx[CORE_COUNT];

/* Whether there is a page for each HPU. */
static inline bool fpspin_check_host_mem(handler_args_t *args)
{
    return HOST_ADDR(args) && args->task->host_mem_size >= CORE_COUNT * PAGE_SIZE;
}

/* Tells the host of len bytes in this HPU's page, and waits for its answer. */
static inline fpspin_flag_t fpspin_host_req(handler_args_t *args, uint32_t len)
{
    uint32_t hpu = HPU_ID(args) % CORE_COUNT;
    fpspin_flag_t request = {.dma_id = ++dma_idx[hpu], .len = len, .hpu_id = (uint16_t)hpu}, answer = {.data = 0};
    if (spin_write_to_host(HOST_ADDR_HPU(args), request.data, NULL) != SPIN_OK)
        return answer;
    isle_host_wait(request.dma_id);
    answer.data = __host_data.flag[hpu];
    if (answer.hpu_id != hpu)
        printf("The host's answer to HPU %u names HPU %u.\n", (unsigned)hpu, (unsigned)answer.hpu_id);
    return answer;
}

#endif
