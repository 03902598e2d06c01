#include "frames.h"

int frames_begin(FILE *capture, uint32_t link)
{
    uint32_t header[6] = {0xa1b23c4d, 4u << 16 | 2, 0, 0, 65535, link};
    return fwrite(header, 1, sizeof header, capture) != sizeof header;
}

void frames_add(FILE *capture, const uint8_t *frame, uint32_t length)
{
    static uint32_t ms;
    uint32_t record[4] = {ms / 1000, ms % 1000 * 1000000, length, length};
    ms++;
    fwrite(record, 1, sizeof record, capture);
    fwrite(frame, 1, length, capture);
}
