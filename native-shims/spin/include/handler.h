/* What a handler gets, and what it can ask the NIC for. */
#ifndef HANDLER_H
#define HANDLER_H

#include "pspin.h"
#include "spin_conf.h"
#include "spin_dma.h"
#include "util.h"

#define __handler__ __attribute__((used))

#define SPIN_OK 0x0
#define SPIN_FAIL 0x1
/* directions of spin_dma, whose addresses say the same */
#define SPIN_DMA_EXT2LOC 1
#define SPIN_DMA_LOC2EXT 0

/* Of a packet that begins with an IP header whose length is in the byte order of this machine. */
#define GET_IP_UDP_PLD(pkt_ptr, pkt_pld_ptr, pkt_pld_len)                                       \
    {                                                                                           \
        ip_hdr_t *isle_ip_ = (ip_hdr_t *)(pkt_ptr);                                             \
        pkt_pld_len = isle_ip_->length - sizeof(ip_hdr_t) - sizeof(udp_hdr_t);                  \
        pkt_pld_ptr = (uint8_t *)(pkt_ptr) + isle_ip_->ihl * 4 + sizeof(udp_hdr_t);             \
    }

typedef struct task {
    void *handler_mem; /* of all handlers of the context, kept between tasks */
    size_t handler_mem_size;
    void *pkt_mem; /* this task's own copy of the packet */
    size_t pkt_mem_size;
    void *scratchpad[NB_CLUSTERS]; /* of the packet's queue */
    uint32_t unused_0[2];
    size_t scratchpad_size[NB_CLUSTERS];
    uint32_t unused_1[2];
    uint32_t host_mem_high;
    uint32_t host_mem_low;
    size_t host_mem_size;
    void *l2_pkt_mem; /* the packet in the NIC's buffer, which all handlers of a message's packet see */
    uint32_t home_cluster_id;
    uint32_t flow_id; /* number of the queue */
} __attribute__((__packed__)) task_t;

_Static_assert(NB_CLUSTERS == 2 && NB_CORES == 8, "there are 2 clusters of 8 HPUs");

typedef struct handler_args {
    task_t *task;
    uint32_t hpu_gid;
    uint32_t cluster_id;
    uint32_t hpu_id; /* in the cluster */
} handler_args_t;

typedef void (*handler_fn)(handler_args_t *);

/* The program's; it may leave out any of the three. */
void init_handlers(handler_fn *hh, handler_fn *ph, handler_fn *th, void **handler_mem_ptr);

typedef futex_t spin_lock_t;
typedef dma_t spin_dma_t;
typedef uint32_t spin_cmd_t;

typedef struct spin_rw_lock {
    spin_lock_t glock;
    volatile int32_t num_readers;
} spin_rw_lock_t;

/* Commands are done when they return, so there is nothing to wait for: this keeps the handle that programs expect. */
static inline int isle_done(uint32_t code, uint32_t *handle)
{
    if (handle)
        *handle = code == SPIN_OK;
    return (int)code;
}

static inline int spin_dma(void *source, void *dest, size_t size, int direction, int options, spin_dma_t *xfer)
{
    (void)direction;
    (void)options;
    return isle_done(size ? isle_copy(source, dest, size) : SPIN_FAIL, xfer);
}

static inline int spin_dma_wait(spin_dma_t xfer)
{
    (void)xfer;
    return SPIN_OK;
}

static inline int spin_dma_test(spin_dma_t xfer, uint32_t *completed)
{
    (void)xfer;
    *completed = 1;
    return SPIN_OK;
}

static inline int spin_cmd_wait(spin_cmd_t handle)
{
    (void)handle;
    return SPIN_OK;
}

static inline int spin_cmd_test(spin_cmd_t handle, bool *completed)
{
    (void)handle;
    *completed = true;
    return SPIN_OK;
}

/* Sends a frame as it is, without its checksum. */
static inline int spin_send_packet(void *data, uint32_t length, spin_cmd_t *handle)
{
    return isle_done(isle_send(data, length), handle);
}

/* Not there without RDMA: SPIN_FAIL. */
static inline int spin_rdma_put(uint32_t dest, void *data, uint32_t length, spin_cmd_t *handle)
{
    return isle_done(isle_put(dest, data, length), handle);
}

static inline int spin_dma_to_host(uint64_t host_addr, uint32_t nic_addr, uint32_t length, bool generate_event, spin_cmd_t *xfer)
{
    (void)generate_event;
    return isle_done(isle_to_host((uint32_t)(host_addr >> 32), (uint32_t)host_addr, nic_addr, length), xfer);
}

static inline int spin_dma_from_host(uint64_t host_addr, uint32_t nic_addr, uint32_t length, bool generate_event, spin_cmd_t *xfer)
{
    (void)generate_event;
    return isle_done(isle_from_host((uint32_t)(host_addr >> 32), (uint32_t)host_addr, nic_addr, length), xfer);
}

static inline int spin_write_to_host(uint64_t host_addr, uint64_t user_data, spin_cmd_t *xfer)
{
    return isle_done(isle_host_word((uint32_t)(host_addr >> 32), (uint32_t)host_addr, (uint32_t)(user_data >> 32), (uint32_t)user_data), xfer);
}
#define spin_host_write spin_write_to_host

static inline int spin_lock_init(spin_lock_t *lock)
{
    futex_init(lock);
    return SPIN_OK;
}

/* Whether the lock is the caller's now. */
static inline int spin_lock_try_lock(spin_lock_t *lock)
{
    return futex_try_lock(lock);
}

static inline int spin_lock_lock(spin_lock_t *lock)
{
    futex_lock_s(lock);
    return SPIN_OK;
}

static inline int spin_lock_unlock(spin_lock_t *lock)
{
    futex_unlock(lock);
    return SPIN_OK;
}

/* num_readers: readers inside; -1: a writer is. A program that begins with more than there are HPUs has writers exclude writers only. */
static inline int spin_rw_lock_r_lock(spin_rw_lock_t *rwlock)
{
    int32_t inside = rwlock->num_readers;
    while (inside < 0 || !__atomic_compare_exchange_n(&rwlock->num_readers, &inside, inside + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
        rt_time_wait_cycles(32);
        inside = rwlock->num_readers;
    }
    return SPIN_OK;
}

static inline int spin_rw_lock_r_unlock(spin_rw_lock_t *rwlock)
{
    amo_add(&rwlock->num_readers, -1);
    return SPIN_OK;
}

static inline int spin_rw_lock_w_lock(spin_rw_lock_t *rwlock)
{
    int32_t none = 0;
    spin_lock_lock(&rwlock->glock);
    while (rwlock->num_readers <= CORE_COUNT &&
           !__atomic_compare_exchange_n(&rwlock->num_readers, &none, -1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
        rt_time_wait_cycles(32);
        none = 0;
    }
    return SPIN_OK;
}

static inline int spin_rw_lock_w_unlock(spin_rw_lock_t *rwlock)
{
    if (rwlock->num_readers < 0)
        __atomic_store_n(&rwlock->num_readers, 0, __ATOMIC_SEQ_CST);
    return spin_lock_unlock(&rwlock->glock);
}

#endif
