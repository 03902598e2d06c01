/*
 * spin-direct HANDLERS CAPTURE FOLDER [INIT]: calls the handlers, compiled as C for this processor, on each frame of a capture as a message of
 * its own, and leaves sent.pcap, handler, scratchpad and host in the folder.
 */
#include "../spin_direct.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../spin_harness.h"

static const char *const names[] = {[DIRECT_UDP_PING] = "udp_ping",   [DIRECT_ICMP_PING] = "icmp_ping", [DIRECT_MESSAGE] = "message",
                                    [DIRECT_HISTOGRAM] = "histogram", [DIRECT_REDUCE] = "reduce",       [DIRECT_FILTER] = "filter"};

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

static int run(struct direct *d, int program, FILE *in, FILE *out)
{
    uint32_t header[6], record[4];
    uint8_t frame[ISLE_SPIN_FRAME];
    if (fread(header, 1, sizeof header, in) != sizeof header || fwrite(header, 1, sizeof header, out) != sizeof header)
        return 1;
    while (fread(record, 1, sizeof record, in) == sizeof record) {
        uint32_t length = record[2], id = 0;
        if (!length || length > sizeof frame || fread(frame, 1, length, in) != length)
            return 1;
        if (length >= 48)
            memcpy(&id, frame + 44, sizeof id);
        uint32_t queue = id % ISLE_SPIN_QUEUES, hpu = queue % ISLE_SPIN_CLUSTERS * ISLE_SPIN_CORES;
        for (uint32_t handler = 0; handler < 3; handler++) {
            direct_run(d, program, handler, hpu, queue, frame, length);
            if (d->sent) {
                record[2] = record[3] = d->length;
                if (d->sent > 1 || fwrite(record, 1, sizeof record, out) != sizeof record || fwrite(d->frame, 1, d->length, out) != d->length)
                    return 1;
            }
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct direct d;
    int program = 0, count = sizeof names / sizeof *names;
    while (argc > 3 && program < count && strcmp(names[program], argv[1]))
        program++;
    if (argc < 4 || program == count || !direct_make(&d)) {
        fprintf(stderr, "usage: spin-direct HANDLERS CAPTURE FOLDER [INIT]\n");
        return 2;
    }
    FILE *init = argc > 4 ? fopen(argv[4], "rb") : NULL;
    if (init) {
        size_t ignored = fread(d.handler, 1, RIG_HANDLER, init);
        (void)ignored;
        fclose(init);
    }
    FILE *in = fopen(argv[2], "rb"), *out = file_in(argv[3], "sent.pcap");
    int code = !in || !out || run(&d, program, in, out) || fclose(out);
    code = code || dump(argv[3], "handler", d.handler, RIG_HANDLER) || dump(argv[3], "host", d.host, RIG_HOST) ||
           dump(argv[3], "scratchpad", d.scratchpads, RIG_SCRATCHPAD * ISLE_SPIN_CLUSTERS * ISLE_SPIN_QUEUES);
    if (code)
        perror("spin-direct");
    return code;
}
