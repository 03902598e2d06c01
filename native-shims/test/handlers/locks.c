/* Counts under locks, with nothing atomic about the counts. */
#include <handler.h>

typedef struct {
    spin_lock_t lock;
    spin_rw_lock_t rw;
    volatile uint32_t under_lock, written, torn;
    volatile uint32_t reserved;
} locks_t;

static void add_reserved(volatile uint32_t *word)
{
    while (store_conditional(word, load_reserved(word) + 1)) {
    }
}

__handler__ void locks_ph(handler_args_t *args)
{
    locks_t *m = args->task->handler_mem;
    for (int i = 0; i < 25; i++) {
        spin_lock_lock(&m->lock);
        m->under_lock = m->under_lock + 1;
        spin_lock_unlock(&m->lock);

        spin_rw_lock_w_lock(&m->rw);
        m->written = m->written + 1;
        spin_rw_lock_w_unlock(&m->rw);

        spin_rw_lock_r_lock(&m->rw);
        uint32_t first = m->written;
        rt_time_wait_cycles(1);
        if (first != m->written)
            amo_add(&m->torn, 1);
        spin_rw_lock_r_unlock(&m->rw);

        add_reserved(&m->reserved);
        push_counter(&__host_data.counters[3], 2);
    }
}
