#include "source_files.h"

#include <string.h>

uint32_t files_write(uint8_t *to, const struct text_file *files, uint32_t count)
{
    uint32_t at = count * (uint32_t)sizeof(isle_file_entry);
    for (uint32_t i = 0; i < count; i++) {
        isle_file_entry e = {.name_length = (uint32_t)strlen(files[i].name), .text_length = (uint32_t)strlen(files[i].text)};
        memcpy(to + i * sizeof e, &e, sizeof e);
        memcpy(to + at, files[i].name, e.name_length);
        memcpy(to + at + e.name_length, files[i].text, e.text_length);
        at += e.name_length + e.text_length;
    }
    return at;
}

int files_load(struct core *core, uint64_t context, uint64_t program, const char *options, const struct text_file *files, uint32_t compiled,
               uint32_t count)
{
    static uint8_t body[ISLE_CONTROL_BYTES];
    uint32_t o = (uint32_t)strlen(options);
    isle_files_request q = {
        .context = context, .program = program, .file_count = compiled, .header_count = count - compiled, .options_length = o};
    memcpy(body + sizeof q, options, o);
    q.length = files_write(body + sizeof q + o, files, count);
    memcpy(body, &q, sizeof q);
    return core_call(core, ISLE_OP_LOAD_FILES, body, (uint32_t)sizeof q + o + q.length);
}

const char *files_log(const struct core *core)
{
    static char text[ISLE_BUILD_LOG_MAX];
    isle_load_response r = {0};
    if (core_body_length(core) >= sizeof r)
        memcpy(&r, core_body(core), sizeof r);
    if (core_body_length(core) != sizeof r + r.log_length || r.log_length >= sizeof text)
        return "";
    memcpy(text, (const uint8_t *)core_body(core) + sizeof r, r.log_length);
    text[r.log_length] = 0;
    return text;
}
