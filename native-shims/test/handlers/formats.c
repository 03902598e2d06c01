/* Prints with each conversion; its test prints the same. */
#include <handler.h>
#include <inttypes.h>
#include <string.h>

__handler__ void formats_ph(handler_args_t *args)
{
    char small[8];
    int cut = snprintf(small, sizeof small, "%s", "longer than it");
    (void)args;
#include "formats.inc"
    printf("%d|%s|\n", cut, small);
    printf("\t\r%c%c end\n", 1, 0xe9);
}
