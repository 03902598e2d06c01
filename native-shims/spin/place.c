#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "calls.h"
#include "image.h"
#include "include/isle_calls.h"

/* As lib/start.c lays it out. */
struct record {
    uint32_t magic, version, calls, call_count, host_data, host_data_size, begin, chosen;
};

static const char *wrong(const struct spin_image *image, const struct record *r, const struct spin_entry *e)
{
    const struct spin_segment *calls = spin_image_segment(image, e->calls, SPIN_CALL_COUNT * (uint32_t)sizeof(uint64_t));
    const struct spin_segment *host = spin_image_segment(image, e->host_data, SPIN_PAGE);
    const struct spin_segment *begin = spin_image_segment(image, e->begin, 1);
    const struct spin_segment *chosen = spin_image_segment(image, e->chosen, 3 * (uint32_t)sizeof(uint32_t));
    if (r->call_count != SPIN_CALL_COUNT || !calls || calls->executable || e->calls % sizeof(uint64_t))
        return "its table of calls";
    if (r->host_data_size != SPIN_HOST_DATA || !host || !host->writable || e->host_data % SPIN_PAGE)
        return "__host_data";
    if (!begin || !begin->executable)
        return "the address of its beginning";
    return chosen && chosen->writable && e->chosen % sizeof(uint32_t) == 0 ? NULL : "the address for its handlers";
}

int spin_image_place(const struct spin_image *image, uint8_t *memory, uint32_t base, struct spin_entry *out, char why[SPIN_WHY])
{
    struct record r;
    for (uint32_t i = 0; i < image->segment_count; i++) {
        const struct spin_segment *s = &image->segments[i];
        if (s->bytes)
            memcpy(memory + s->address, image->file + s->offset, s->bytes);
    }
    for (uint32_t i = 0; i < image->relocation_count; i++) {
        Elf32_Rela a;
        memcpy(&a, image->file + image->relocations + i * sizeof a, sizeof a);
        uint32_t value = base + (uint32_t)a.r_addend;
        memcpy(memory + a.r_offset, &value, sizeof value);
    }
    const struct spin_segment *s = spin_image_segment(image, image->entry, sizeof r);
    if (!s || s->executable) {
        snprintf(why, SPIN_WHY, "the record at the entry %#x is not in data", image->entry);
        return -EINVAL;
    }
    memcpy(&r, memory + image->entry, sizeof r);
    if (r.magic != ISLE_SPIN_IMAGE_MAGIC || r.version != ISLE_SPIN_IMAGE_VERSION) {
        snprintf(why, SPIN_WHY, "the record at the entry has the mark %#x and the version %u, not %#x and %u: build it again with spin-cc", r.magic,
                 r.version, ISLE_SPIN_IMAGE_MAGIC, ISLE_SPIN_IMAGE_VERSION);
        return -EINVAL;
    }
    *out = (struct spin_entry){r.calls - base, r.host_data - base, r.begin - base, r.chosen - base};
    const char *field = wrong(image, &r, out);
    if (field)
        snprintf(why, SPIN_WHY, "the record at the entry is wrong in %s: build it again with spin-cc", field);
    return field ? -EINVAL : 0;
}
