/* Build options: what they define, and those that hide text. */
#include <stdlib.h>
#include <string.h>

#include "scan_parts.h"

static const char *text_of(const struct scan *s, const struct token *t)
{
    return t->kind == TOKEN_WORD ? s->words[t->word].text : "";
}

/* A definition may have any word of the options in it: compilers do not agree on their quotes. */
static void define(struct scan *s, uint32_t name, uint32_t from)
{
    scan_name(s, name, scan_part(s, (struct part){.from = from, .to = s->bodies.count, .macro = true, .option = true}));
}

/* `t` follows a minus, and another token follows it. */
static void option(struct scan *s, const struct token *t, uint32_t from)
{
    const char *word = text_of(s, t);
    if (!strncmp(word, "include", 7) || !strcmp(word, "imacros") || !strncmp(word, "Xclang", 6) || !strcmp(word, "x") || !strcmp(word, "D__cplusplus") ||
        !strcmp(text_of(s, &t[1]), "__cplusplus"))
        scan_lost(s, "the build option -%.32s", word);
    else if (!strcmp(word, "D") && t[1].kind == TOKEN_WORD)
        define(s, t[1].word, from);
    else if (*word == 'D' && word[1])
        define(s, scan_word(s, word + 1, strlen(word + 1)), from);
}

void scan_options(struct scan *s, const char *options)
{
    struct tokens raw = {0};
    size_t n = strlen(options);
    char *plain = malloc(n + 1);
    s->no_memory |= !plain;
    for (size_t i = 0; plain && i < n; i++)
        plain[i] = strchr("\"'\\/", options[i]) || (options[i] >= 0 && options[i] < ' ') ? ' ' : options[i];
    if (plain)
        scan_lex(s, (const uint8_t *)plain, n, UINT16_MAX, &raw);
    uint32_t from = s->bodies.count;
    for (uint32_t i = 0; i < raw.count; i++)
        if (raw.at[i].kind != TOKEN_LINE)
            scan_token(s, &s->bodies, raw.at[i]);
    if (!s->no_memory && !scan_balanced(s, from, s->bodies.count))
        scan_lost(s, "build options have brackets without their partners");
    for (uint32_t i = 1; i + 1 < raw.count && !s->no_memory; i++) {
        const char *word = text_of(s, &raw.at[i]);
        if (is_sign(&raw.at[i - 1], '-'))
            option(s, &raw.at[i], from);
        if ((!strncmp(word, "CLC", 3) || !strncmp(word, "clc", 3)) && is_sign(&raw.at[i + 1], '+'))
            scan_lost(s, "a source in C++");
    }
    free(plain);
    free(raw.at);
}
