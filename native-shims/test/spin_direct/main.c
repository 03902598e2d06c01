/*
 * spin-direct HANDLERS MESSAGES CAPTURE FOLDER [INIT]: calls the handlers, compiled as C for this processor, on the frames of a capture, and
 * leaves sent.pcap, handler, scratchpad and host in the folder. MESSAGES is "each", for which each frame is a message of its own, or "slmp".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../spin_direct.h"
#include "../spin_harness.h"

#define HANDLER_BYTES (1u << 20)
#define OPEN 64
#define END_OF_MESSAGE 0x80

static uint32_t open_ids[OPEN], open_count;

static FILE *file_in(const char *folder, const char *name)
{
    char path[4352];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return fopen(path, "wb");
}

static int dump(const char *folder, const char *name, const void *bytes, size_t length)
{
    FILE *f = file_in(folder, name);
    return !f || fwrite(bytes, 1, length, f) != length || fclose(f);
}

/* Whether UDP over IPv4 goes to port 9330. */
static bool is_slmp(const uint8_t *frame, uint32_t length)
{
    return length >= 52 && frame[12] == 8 && !frame[13] && frame[23] == 17 && frame[36] == 0x24 && frame[37] == 0x72;
}

/* Whether a message with this id is open; opens it if not. */
static bool was_open(uint32_t id)
{
    for (uint32_t i = 0; i < open_count; i++)
        if (open_ids[i] == id)
            return true;
    if (open_count == OPEN)
        exit(3);
    open_ids[open_count++] = id;
    return false;
}

static void closed(uint32_t id)
{
    for (uint32_t i = 0; i < open_count; i++)
        if (open_ids[i] == id)
            open_ids[i--] = open_ids[--open_count];
}

static int run(struct direct *d, direct_handler handlers[3], bool slmp, FILE *in, FILE *out)
{
    uint32_t header[6], record[4];
    uint8_t frame[ISLE_SPIN_FRAME];
    if (fread(header, 1, sizeof header, in) != sizeof header || fwrite(header, 1, sizeof header, out) != sizeof header)
        return 1;
    while (fread(record, 1, sizeof record, in) == sizeof record) {
        uint32_t length = record[2], id = 0;
        if (!length || length > sizeof frame || fread(frame, 1, length, in) != length)
            return 1;
        if (slmp && !is_slmp(frame, length))
            continue;
        if (length >= 48)
            memcpy(&id, frame + 44, sizeof id);
        bool first = !slmp || !was_open(id), last = !slmp || frame[42] & END_OF_MESSAGE;
        uint32_t queue = id % ISLE_SPIN_QUEUES, hpu = queue % ISLE_SPIN_CLUSTERS * ISLE_SPIN_CORES;
        direct_packet(d, frame, length);
        for (uint32_t handler = first ? 0 : 1; handler < (last ? 3u : 2u); handler++) {
            direct_run(d, handlers[handler], hpu, queue);
            if (d->sent) {
                record[2] = record[3] = d->length;
                if (d->sent > 1 || fwrite(record, 1, sizeof record, out) != sizeof record || fwrite(d->frame, 1, d->length, out) != d->length)
                    return 1;
            }
        }
        if (last)
            closed(id);
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct direct d;
    direct_handler handlers[3];
    bool slmp = argc > 2 && !strcmp(argv[2], "slmp");
    if (argc < 5 || argc > 6 || (!slmp && strcmp(argv[2], "each")) || !direct_handlers(argv[1], handlers)) {
        fprintf(stderr, "usage: spin-direct HANDLERS each|slmp CAPTURE FOLDER [INIT]\n");
        return 2;
    }
    FILE *in = fopen(argv[3], "rb"), *out = file_in(argv[4], "sent.pcap"), *init = argc > 5 ? fopen(argv[5], "rb") : NULL;
    int code = !direct_make(&d, HANDLER_BYTES, RIG_HOST) || !in || !out || (argc > 5 && !init);
    if (init)
        code = code || !fread(d.handler, 1, HANDLER_BYTES, init) || fclose(init);
    code = code || run(&d, handlers, slmp, in, out) || fclose(out);
    code = code || dump(argv[4], "handler", d.handler, HANDLER_BYTES) || dump(argv[4], "host", d.host, RIG_HOST) ||
           dump(argv[4], "scratchpad", d.scratchpads, RIG_SCRATCHPAD * ISLE_SPIN_CLUSTERS * ISLE_SPIN_QUEUES);
    if (code)
        perror("spin-direct");
    return code;
}
