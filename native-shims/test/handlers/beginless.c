/* Does not end in init_handlers. */
#include <handler.h>

void init_handlers(handler_fn *hh, handler_fn *ph, handler_fn *th, void **handler_mem_ptr)
{
    *hh = *ph = *th = NULL;
    for (;;)
        *(void *volatile *)handler_mem_ptr = NULL;
}
