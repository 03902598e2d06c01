/* Any bytes as an image of handlers. */
#include <stdlib.h>

#include "../spin/image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct spin_image image;
    struct spin_entry entry;
    char why[SPIN_WHY];
    if (spin_image_read(&image, data, size, 256u << 10, why))
        return 0;
    uint8_t *memory = calloc(1, image.size ? image.size : 1);
    spin_image_place(&image, memory, 0x20000000, &entry, why);
    free(memory);
    return 0;
}
