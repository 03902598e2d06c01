#define _GNU_SOURCE
#include "origin.h"

#include <string.h>

#include "digest.h"
#include "scan.h"

static const isle_source_file *text_at(const struct origin *o, uint32_t i)
{
    return i < o->file_count ? &o->files[i] : &o->headers[i - o->file_count];
}

void origin_own_name(const struct origin *o, char *name)
{
    static const char prefix[] = "_cl_"; /* PoCL defines "mix" as "_cl_mix" */
    const size_t skip = sizeof prefix - 1, length = strlen(name);
    if (o->kind != ISLE_PROGRAM_OPENCL_C || length <= skip || memcmp(name, prefix, skip))
        return;
    for (uint32_t i = 0; i < o->file_count + o->header_count; i++)
        if (memmem(text_at(o, i)->text, text_at(o, i)->length, name, length))
            return;
    memmove(name, name + skip, length - skip + 1);
}

struct scan *origin_scan(const struct origin *o)
{
    struct scan_text texts[ISLE_SOURCE_FILES];
    uint32_t count = o->file_count + o->header_count;
    for (uint32_t i = 0; i < count; i++) {
        const isle_source_file *f = text_at(o, i);
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
        const isle_source_file *f = text_at(o, i);
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
