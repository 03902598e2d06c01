/* The handlers of the one source that this program is linked with, whatever its name. */
#include "../spin_direct.h"

#include <stddef.h>

void init_handlers(direct_handler *hh, direct_handler *ph, direct_handler *th, void **memory);

bool direct_handlers(const char *program, direct_handler h[3])
{
    void *memory = NULL;
    (void)program;
    h[0] = h[1] = h[2] = NULL;
    init_handlers(&h[0], &h[1], &h[2], &memory);
    return h[0] || h[1] || h[2];
}
