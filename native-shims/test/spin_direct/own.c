/* The handlers of this tree, as one program. */
#include "../spin_direct.h"

#include <string.h>

/* As handlers are written: their pointers fit into 32 bits, for what they see lies there. */
#pragma GCC diagnostic ignored "-Wpointer-to-int-cast"
#pragma GCC diagnostic ignored "-Wint-to-pointer-cast"
#define init_handlers message_init
#include "../handlers/message.c"
#undef init_handlers
#define init_handlers histogram_init
#include "../handlers/histogram.c"
#undef init_handlers
#define init_handlers reduce_init
#include "../handlers/reduce.c"
#undef init_handlers
#include "../handlers/filter.c"
#include "../../spin/handlers/icmp_ping.c"
#include "../../spin/handlers/udp_ping.c"

bool direct_handlers(const char *program, direct_handler h[3])
{
    void *memory = NULL;
    memset(h, 0, 3 * sizeof *h);
    if (!strcmp(program, "udp_ping"))
        h[1] = udp_ping_ph;
    else if (!strcmp(program, "icmp_ping"))
        h[1] = icmp_ping_ph;
    else if (!strcmp(program, "filter"))
        h[1] = filter_ph;
    else if (!strcmp(program, "message"))
        message_init(&h[0], &h[1], &h[2], &memory);
    else if (!strcmp(program, "histogram"))
        histogram_init(&h[0], &h[1], &h[2], &memory);
    else if (!strcmp(program, "reduce"))
        reduce_init(&h[0], &h[1], &h[2], &memory);
    else
        return false;
    return true;
}
