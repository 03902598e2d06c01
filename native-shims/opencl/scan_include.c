/* Which of the texts an #include brings in, and what it brings where. */
#include "scan_include.h"

#include <string.h>

#include "scan_parts.h"

/* Appends a part of a path; false when it leaves the root or the room. */
static bool step(char out[INCLUDE_PATH], size_t *length, const char *part, size_t n)
{
    if (!n || (n == 1 && *part == '.'))
        return true;
    if (n == 2 && part[0] == '.' && part[1] == '.') {
        if (!*length)
            return false;
        while (*length && out[--*length] != '/')
            ;
        out[*length] = 0;
        return true;
    }
    if (*length + n + 2 > INCLUDE_PATH)
        return false;
    if (*length)
        out[(*length)++] = '/';
    memcpy(out + *length, part, n);
    *length += n;
    out[*length] = 0;
    return true;
}

static bool walk(char out[INCLUDE_PATH], size_t *length, const char *path, size_t n)
{
    for (size_t from = 0, to; from <= n; from = to + 1) {
        for (to = from; to < n && path[to] != '/';)
            to++;
        if (!step(out, length, path + from, to - from))
            return false;
    }
    return true;
}

bool include_path(const char *folder, size_t folder_length, const char *name, char out[INCLUDE_PATH])
{
    size_t length = 0;
    *out = 0;
    return *name != '/' && walk(out, &length, folder, folder_length) && walk(out, &length, name, strlen(name)) && length;
}

static void add_folder(struct include_folders *f, const char *at, size_t n)
{
    size_t length = 0;
    if (n && (*at == '"' || *at == '\'')) {
        at++;
        n -= n > 1 && (at[n - 2] == '"' || at[n - 2] == '\'') ? 2 : 1;
    }
    f->more |= f->count == INCLUDE_FOLDERS;
    if (!n || *at == '/' || f->count == INCLUDE_FOLDERS)
        return;
    f->at[f->count][0] = 0;
    f->count += walk(f->at[f->count], &length, at, n);
}

void include_folders(const char *options, struct include_folders *out)
{
    out->count = 0;
    out->more = false;
    for (bool named = false; *options;) {
        size_t blank = strspn(options, " \t"), n = strcspn(options + blank, " \t");
        options += blank;
        if (named || !strncmp(options, "-I", 2)) {
            size_t skip = named ? 0 : 2;
            named = !named && n == 2;
            if (!named)
                add_folder(out, options + skip, n - skip);
        }
        options += n;
    }
}

static uint32_t text_named(const struct scan *s, const char *path)
{
    for (uint32_t i = 0; i < s->text_count; i++)
        if (s->texts[i].name && !strcmp(s->texts[i].name, path))
            return i;
    return SCAN_NONE;
}

uint32_t scan_included(const struct scan *s, uint16_t file, const char *name, bool angled)
{
    char path[INCLUDE_PATH];
    const char *from = angled ? NULL : s->texts[file].name, *slash = from ? strrchr(from, '/') : NULL;
    uint32_t found = SCAN_NONE;
    if (slash && include_path(from, (size_t)(slash - from), name, path))
        found = text_named(s, path);
    if (found == SCAN_NONE && include_path("", 0, name, path))
        found = text_named(s, path);
    for (uint32_t i = 0; found == SCAN_NONE && i < s->folders.count; i++)
        if (include_path(s->folders.at[i], strlen(s->folders.at[i]), name, path))
            found = text_named(s, path);
    return found == file ? SCAN_NONE : found;
}

uint64_t scan_brought(const struct scan *s, uint32_t text)
{
    uint64_t all = 1ull << text, before = 0;
    while (all != before) {
        before = all;
        for (uint32_t i = 0; i < SCAN_TEXTS; i++)
            all |= before >> i & 1 ? s->includes[i] : 0;
    }
    return all;
}

void scan_include_names(struct scan *s)
{
    for (uint32_t text = 0; text < s->text_count && text < SCAN_TEXTS; text++) {
        uint64_t all = s->inside >> text & 1 ? scan_brought(s, text) : 0;
        for (uint32_t i = 0; all && i < s->part_count && !s->no_memory; i++)
            if (!s->parts[i].macro && all >> s->code.at[s->parts[i].from].file & 1)
                scan_name(s, s->file_words[text], i);
    }
}
