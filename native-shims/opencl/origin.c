#include "origin.h"

#include <string.h>

#include "digest.h"
#include "scan.h"

struct scan *origin_scan(const struct origin *o)
{
    struct scan_text texts[ISLE_SOURCE_FILES];
    uint32_t count = o->file_count + o->header_count;
    for (uint32_t i = 0; i < count; i++) {
        const isle_source_file *f = i < o->file_count ? &o->files[i] : &o->headers[i - o->file_count];
        texts[i] = (struct scan_text){.name = f->name, .bytes = f->text, .length = f->length};
    }
    return o->kind == ISLE_PROGRAM_OPENCL_C ? scan_read(texts, count, o->options) : NULL;
}

void origin_digest(const struct origin *o, const struct appendix *behind, uint8_t digest[32])
{
    struct {
        uint32_t role, number;
        uint8_t name[32], text[32];
    } all[ISLE_SOURCE_FILES + 1];
    uint32_t count = 0;
    memset(all, 0, sizeof all);
    for (uint32_t i = 0; i < o->file_count + o->header_count && i < ISLE_SOURCE_FILES; i++) {
        const isle_source_file *f = i < o->file_count ? &o->files[i] : &o->headers[i - o->file_count];
        all[count].role = i >= o->file_count;
        if (f->name)
            digest_of(f->name, strlen(f->name), all[count].name);
        digest_of(f->text, f->length, all[count++].text);
    }
    if (behind) {
        all[count].role = 2;
        all[count].number = behind->file;
        digest_of(behind->text, behind->length, all[count++].text);
    }
    digest_of(all, count * sizeof all[0], digest);
}
