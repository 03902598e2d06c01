/* The beginning of a program of handlers: the record that the loader reads at the entry address. */
#include <handler.h>
#include <spin_host.h>

volatile struct host_data __host_data __attribute__((section(".isle_host_data"), aligned(PAGE_SIZE)));
volatile uint8_t dma_idx[CORE_COUNT];

/* What init_handlers chose; 0: none. */
static struct {
    handler_fn header, packet, tail;
} chosen;

static void begin(void)
{
    void *memory = NULL;
    init_handlers(&chosen.header, &chosen.packet, &chosen.tail, &memory);
}

extern uint64_t isle_calls[];

__attribute__((used, section(".data.rel.ro.isle"))) const struct {
    uint32_t magic, version;
    uint64_t *calls;
    uint32_t call_count;
    volatile struct host_data *host_data;
    uint32_t host_data_size;
    void (*begin)(void);
    void *chosen;
} isle_image = {
#define COUNT(name) +1
    ISLE_SPIN_IMAGE_MAGIC,  ISLE_SPIN_IMAGE_VERSION, isle_calls, 0 ISLE_SPIN_CALLS(COUNT), &__host_data, sizeof __host_data, begin,
    &chosen,
};
