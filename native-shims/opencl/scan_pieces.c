/* Pieces of a file: each ends with a semicolon or a function's body outside of all braces. */
#include <string.h>

#include "scan_parts.h"

bool pieces_empty(const struct scan *s, const struct pieces *p)
{
    return p->from == s->code.count;
}

bool pieces_between(const struct scan *s, const struct pieces *p)
{
    return p->ended || pieces_empty(s, p);
}

void pieces_cut(struct scan *s, struct pieces *p)
{
    if (!pieces_empty(s, p))
        scan_part(s, (struct part){.from = p->from, .to = s->code.count});
    *p = (struct pieces){.from = s->code.count};
}

static bool is_word(const struct scan *s, const struct token *t, const char *text)
{
    return t->kind == TOKEN_WORD && !strcmp(s->words[t->word].text, text);
}

/* Seen outside of braces: whether a body would be that of a function. */
static void note(struct scan *s, struct pieces *p, const struct token *t)
{
    const struct token *before = pieces_empty(s, p) ? NULL : &s->code.at[s->code.count - 1];
    p->assigned |= is_sign(t, '=');
    p->is_typedef |= is_word(s, t, "typedef");
    if (is_sign(t, '(') && before && before->kind == TOKEN_WORD && s->words[before->word].class != WORD_KEYWORD)
        p->called = true;
}

void pieces_token(struct scan *s, struct pieces *p, struct token token)
{
    if (!p->braces)
        note(s, p, &token);
    token.flags = (p->braces ? INSIDE_BRACES : 0) | (p->parens ? INSIDE_PARENS : 0);
    p->braces += is_sign(&token, '{') - is_sign(&token, '}');
    p->parens += is_sign(&token, '(') + is_sign(&token, '[') - is_sign(&token, ')') - is_sign(&token, ']');
    if (p->braces < 0 || p->parens < 0)
        scan_lost(s, "a bracket without its partner in line %u", token.line);
    scan_token(s, &s->code, token);
    bool body = is_sign(&token, '}') && p->called && !p->assigned && !p->is_typedef;
    p->ended = !p->braces && (is_sign(&token, ';') || body);
    if (!p->ended || s->no_memory)
        return;
    if (p->parens)
        scan_lost(s, "a bracket without its partner before line %u", token.line);
    if (!p->held)
        pieces_cut(s, p);
}
