/* The files of a program in a message or in their segment: every length and every name is checked before a driver sees them. */
#include "sources.h"

#include <errno.h>

#define MOST_BYTES (ISLE_FILES_MAX + ISLE_SOURCE_FILES * (ISLE_FILE_NAME + (uint32_t)sizeof(isle_file_entry)))

/* C1 controls have two bytes in UTF-8. */
static bool is_control(const uint8_t *at, uint32_t left)
{
    return *at < ' ' || *at == 0x7f || (*at == 0xc2 && left > 1 && at[1] >= 0x80 && at[1] < 0xa0);
}

/* A part of a path, from `at` up to a slash or the end. */
static bool part_ok(const uint8_t *at, uint32_t length)
{
    return length && !(length == 1 && *at == '.') && !(length == 2 && at[0] == '.' && at[1] == '.');
}

static bool name_ok(const uint8_t *name, uint32_t length)
{
    uint32_t begin = 0;
    if (!length || length > ISLE_FILE_NAME)
        return false;
    for (uint32_t i = 0; i < length; i++) {
        if (is_control(name + i, length - i) || name[i] == '"' || name[i] == '\\')
            return false;
        if (name[i] != '/')
            continue;
        if (!part_ok(name + begin, i - begin))
            return false;
        begin = i + 1;
    }
    return part_ok(name + begin, length - begin);
}

/* Whether a name is another one, or the folder of another one. */
static bool names_clash(const char *one, const char *other)
{
    size_t a = strlen(one), b = strlen(other), n = a < b ? a : b;
    return !memcmp(one, other, n) && (a == b || (a < b ? other : one)[n] == '/');
}

static IoResultCode check_names(const struct sources *s, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (names_clash(s->names[i], s->names[k]))
                return -EINVAL;
    return 0;
}

/* One file; `at` is where its name begins, with `left` bytes up to the end of all. */
static IoResultCode take_file(struct sources *out, uint32_t index, isle_file_entry e, const uint8_t *at, uint32_t left)
{
    if (e.text_length > ISLE_FILE_MAX)
        return -EMSGSIZE;
    if (!name_ok(at, e.name_length <= left ? e.name_length : 0) || e.text_length > left - e.name_length)
        return -EINVAL;
    memcpy(out->names[index], at, e.name_length);
    out->names[index][e.name_length] = 0;
    out->files[index] = (isle_source_file){.name = out->names[index], .text = at + e.name_length, .length = e.text_length};
    return memchr(at + e.name_length, 0, e.text_length) ? -EINVAL : 0;
}

static IoResultCode take_files(const isle_files_request *q, const uint8_t *bytes, struct sources *out)
{
    uint32_t count = q->file_count + q->header_count, at = count * (uint32_t)sizeof(isle_file_entry), texts = 0;
    if (at > q->length)
        return -EINVAL;
    for (uint32_t i = 0; i < count; i++) {
        isle_file_entry e;
        memcpy(&e, bytes + i * sizeof e, sizeof e);
        IoResultCode rc = take_file(out, i, e, bytes + at, q->length - at);
        if (rc)
            return rc;
        at += e.name_length + e.text_length;
        texts += e.text_length;
    }
    return texts > ISLE_FILES_MAX ? -EMSGSIZE : at != q->length ? -EINVAL : check_names(out, count);
}

IoResultCode sources_find(const struct call *c, const isle_files_request *q, struct sources *out)
{
    uint64_t follows = c->length - sizeof *q;
    const uint8_t *at = c->body + sizeof *q;
    if (q->length > MOST_BYTES || q->options_length > ISLE_OPTIONS_MAX || q->file_count > ISLE_SOURCE_FILES ||
        q->header_count > ISLE_SOURCE_FILES - q->file_count)
        return -EMSGSIZE;
    if (!q->file_count || follows != (uint64_t)q->options_length + (q->segment ? 0 : q->length) || memchr(at, 0, q->options_length))
        return -EINVAL;
    memcpy(out->options, at, q->options_length);
    out->options[q->options_length] = 0;
    if (!q->segment)
        return take_files(q, at + q->options_length, out);
    struct segment *s = q->segment == ISLE_SEGMENT_SOURCE ? segment_find(c->rt, q->segment) : NULL;
    return s && q->length <= s->size ? take_files(q, s->pointer, out) : -EINVAL;
}
