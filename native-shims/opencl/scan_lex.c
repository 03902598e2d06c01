/* From bytes to tokens. */
#include <stdlib.h>
#include <string.h>

#include "scan_parts.h"

/* The text with continued lines joined, and the line of each of its characters. */
struct joined {
    struct scan *s;
    char *text;
    uint32_t *lines;
    size_t length, at;
    uint16_t file;
    struct tokens *out;
    uint32_t here; /* tokens of this line so far */
    size_t ended;  /* where the last token did */
};

/* How many bytes a line's end has here; 0: it is none. */
static size_t line_end(const uint8_t *at, size_t left)
{
    return left && *at == '\n' ? 1 : left && *at == '\r' ? (left > 1 && at[1] == '\n' ? 2 : 1) : 0;
}

static size_t continuation(const uint8_t *at, size_t left)
{
    size_t n = 1;
    if (!left || *at != '\\')
        return 0;
    while (n < left && (at[n] == ' ' || at[n] == '\t' || at[n] == '\v' || at[n] == '\f'))
        n++;
    size_t end = line_end(at + n, left - n);
    return end ? n + end : 0;
}

static void join(struct joined *j, const uint8_t *bytes, size_t length)
{
    uint32_t line = 1;
    for (size_t i = 0; i < length;) {
        size_t n = continuation(bytes + i, length - i);
        if (n) {
            line++;
            i += n;
            continue;
        }
        n = line_end(bytes + i, length - i);
        if (i + 2 < length && bytes[i] == '?' && bytes[i + 1] == '?' && bytes[i + 2] && strchr("=/'()!<>-", bytes[i + 2]))
            scan_lost(j->s, "a trigraph in line %u", line);
        if (!bytes[i])
            scan_lost(j->s, "a NUL in line %u", line);
        j->lines[j->length] = line;
        j->text[j->length++] = n ? '\n' : (char)bytes[i];
        line += n != 0;
        i += n ? n : 1;
    }
}

static char peek(const struct joined *j, size_t ahead)
{
    return j->at + ahead < j->length ? j->text[j->at + ahead] : 0;
}

static void emit(struct joined *j, uint8_t kind, uint32_t word, size_t begin)
{
    uint8_t glued = j->here && j->ended == begin ? GLUED : 0;
    scan_token(j->s, j->out, (struct token){.word = word, .line = j->lines[begin], .file = j->file, .kind = kind, .flags = glued});
    j->here = kind == TOKEN_LINE ? 0 : j->here + 1;
}

static void emit_text(struct joined *j, uint8_t kind, size_t begin, size_t end)
{
    emit(j, kind, scan_word(j->s, j->text + begin, end - begin), begin);
}

static bool in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' || (c & 0x80);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void skip_comment(struct joined *j)
{
    size_t begin = j->at;
    if (peek(j, 1) == '/') {
        while (j->at < j->length && peek(j, 0) != '\n')
            j->at++;
        return;
    }
    for (j->at += 2; j->at < j->length; j->at++) {
        if (peek(j, 0) != '*' || peek(j, 1) != '/')
            continue;
        j->at += 2;
        return;
    }
    scan_lost(j->s, "a comment without an end in line %u", j->lines[begin]);
}

static void literal(struct joined *j)
{
    size_t begin = j->at++;
    char quote = j->text[begin];
    while (j->at < j->length && peek(j, 0) != quote && peek(j, 0) != '\n')
        j->at += peek(j, 0) == '\\' && peek(j, 1) && peek(j, 1) != '\n' ? 2 : 1;
    if (peek(j, 0) != quote) {
        scan_lost(j->s, "a %c without its end in line %u", quote, j->lines[begin]);
        return;
    }
    emit_text(j, TOKEN_STRING, begin + 1, j->at++);
    /* pragmas in strings give functions other names */
    const char *text = j->s->words[j->out->count ? j->out->at[j->out->count - 1].word : 0].text;
    if (text && (strstr(text, "extname") || strstr(text, "weak")))
        scan_lost(j->s, "\"%.32s\" in line %u", text, j->lines[begin]);
}

static void number(struct joined *j)
{
    size_t begin = j->at++;
    for (; in_word(peek(j, 0)) || peek(j, 0) == '.'; j->at++)
        if (strchr("eEpP", peek(j, 0)) && (peek(j, 1) == '+' || peek(j, 1) == '-'))
            j->at++;
    emit_text(j, TOKEN_NUMBER, begin, j->at);
}

/* The rest of an #error is no C; a comment that seems to begin in it may or may not. */
static void skip_message(struct joined *j)
{
    size_t begin = j->at;
    while (j->at < j->length && peek(j, 0) != '\n')
        j->at++;
    for (size_t i = begin; i + 1 < j->at; i++)
        if (j->text[i] == '/' && j->text[i + 1] == '*')
            scan_lost(j->s, "a comment in the message of line %u", j->lines[begin]);
}

static void word(struct joined *j)
{
    size_t begin = j->at;
    while (in_word(peek(j, 0)))
        j->at++;
    size_t n = j->at - begin;
    emit_text(j, TOKEN_WORD, begin, j->at);
    const struct token *t = j->out->at + j->out->count;
    bool directive = j->here == 2 && j->out->count >= 2 && is_sign(t - 2, '#');
    if (directive && ((n == 5 && !memcmp(j->text + begin, "error", n)) || (n == 7 && !memcmp(j->text + begin, "warning", n))))
        skip_message(j);
}

static void sign(struct joined *j)
{
    static const struct {
        char text[5], sign;
    } spellings[] = {{"%:%:", 0}, {"##", 0}, {"%:", '#'}, {"<:", '['}, {":>", ']'}, {"<%", '{'}, {"%>", '}'}};
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        size_t n = strlen(spellings[i].text);
        if (j->length - j->at < n || memcmp(j->text + j->at, spellings[i].text, n))
            continue;
        emit(j, spellings[i].sign ? TOKEN_SIGN : TOKEN_PASTE, (uint8_t)spellings[i].sign, j->at);
        j->at += n;
        return;
    }
    if (peek(j, 0) == '\\')
        scan_lost(j->s, "a backslash in line %u", j->lines[j->at]);
    emit(j, TOKEN_SIGN, (uint8_t)peek(j, 0), j->at);
    j->at++;
}

static void one(struct joined *j)
{
    char c = peek(j, 0);
    if (c == '\n') {
        emit(j, TOKEN_LINE, 0, j->at);
        j->at++;
    } else if (c == ' ' || c == '\t' || c == '\v' || c == '\f' || !c) {
        j->at++;
    } else if (c == '/' && (peek(j, 1) == '/' || peek(j, 1) == '*')) {
        skip_comment(j);
    } else if (c == '"' || c == '\'') {
        literal(j);
    } else if (is_digit(c) || (c == '.' && is_digit(peek(j, 1)))) {
        number(j);
    } else if (in_word(c)) {
        word(j);
    } else {
        sign(j);
    }
}

void scan_lex(struct scan *s, const uint8_t *bytes, size_t length, uint16_t file, struct tokens *out)
{
    struct joined j = {.s = s, .text = malloc(length + 1), .lines = malloc((length + 1) * sizeof *j.lines), .file = file, .out = out};
    if (length >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3)) {
        bytes += 3;
        length -= 3;
    }
    s->no_memory |= !j.text || !j.lines;
    if (!s->no_memory)
        join(&j, bytes, length);
    while (j.at < j.length && !s->no_memory) {
        uint32_t before = out->count;
        one(&j);
        j.ended = out->count > before ? j.at : j.ended;
    }
    if (!s->no_memory) {
        j.lines[j.length] = j.length ? j.lines[j.length - 1] : 1;
        emit(&j, TOKEN_LINE, 0, j.length);
    }
    free(j.text);
    free(j.lines);
}
