/* Functions that a linker misses or has twice, for libraries that do not say what keeps files from being linked. */
#include <stdio.h>
#include <string.h>

#include "scan_parts.h"

/* The token with the name of the function that a piece declares or defines; SCAN_NONE for other pieces, and for names of one file alone. */
static uint32_t function_name(const struct scan *s, const struct part *p)
{
    uint32_t name = SCAN_NONE;
    for (uint32_t i = p->from; i < p->to; i++) {
        const struct token *t = &s->code.at[i];
        if (t->flags & (INSIDE_BRACES | INSIDE_PARENS))
            continue;
        const char *word = token_text(s, t);
        if (!strcmp(word, "static") || !strcmp(word, "inline") || !strcmp(word, "typedef") || is_sign(t, '='))
            return SCAN_NONE;
        bool called = i + 1 < p->to && is_sign(t + 1, '(') && t->kind == TOKEN_WORD && s->words[t->word].class != WORD_KEYWORD;
        if (called && name == SCAN_NONE && strncmp(word, "__attribute", 11) && s->words[t->word].first_macro == SCAN_NONE)
            name = i;
    }
    return name;
}

static bool is_body(const struct scan *s, const struct part *p)
{
    return p->to > p->from && is_sign(&s->code.at[p->to - 1], '}');
}

/* Of the files that are compiled, those that a text comes into. */
static uint64_t compiled_with(const struct scan *s, uint32_t text, uint32_t compiled)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < compiled; i++)
        all |= scan_brought(s, i) >> text & 1 ? 1ull << i : 0;
    return all;
}

/* Of the files that are compiled, those with a definition of the function. */
static uint64_t definitions(const struct scan *s, uint32_t word, uint32_t compiled)
{
    uint64_t all = 0;
    for (uint32_t i = s->words[word].first_piece; i != SCAN_NONE; i = s->owners[i].next) {
        const struct part *p = &s->parts[s->owners[i].part];
        uint32_t at = is_body(s, p) ? function_name(s, p) : SCAN_NONE;
        if (at != SCAN_NONE && s->code.at[at].word == word)
            all |= compiled_with(s, s->code.at[at].file, compiled);
    }
    return all;
}

void scan_links(const struct scan *s, uint32_t compiled, char *out, size_t size)
{
    size_t used = 0;
    *out = 0;
    for (uint32_t i = 0; i < s->part_count && !*s->lost && used < size; i++) {
        const struct part *p = &s->parts[i];
        uint32_t at = p->macro ? SCAN_NONE : function_name(s, p);
        if (at == SCAN_NONE)
            continue;
        const struct token *t = &s->code.at[at];
        uint64_t files = definitions(s, t->word, compiled);
        bool missing = !files && !is_body(s, p), twice = (files & (files - 1)) && is_body(s, p);
        if (!missing && !twice)
            continue;
        int n = snprintf(out + used, size - used, "%s%.255s:%u: %.64s %s", used ? "\n" : "", s->words[s->file_words[t->file]].text + 1, t->line,
                         s->words[t->word].text, missing ? "is declared here, and no file that is compiled defines it" : "is defined here, and comes into more than one file");
        used += n > 0 ? (size_t)n : 0;
    }
}
