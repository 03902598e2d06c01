/* What the parts of the scanner share. */
#ifndef ISLE_OPENCL_SCAN_PARTS_H
#define ISLE_OPENCL_SCAN_PARTS_H

#include "scan.h"
#include "scan_include.h"

enum {
    TOKEN_WORD,   /* identifiers and keywords */
    TOKEN_NUMBER,
    TOKEN_STRING, /* without its quotes */
    TOKEN_SIGN,   /* one character, in `word` */
    TOKEN_PASTE,  /* ## */
    TOKEN_PARAMETER, /* of a macro, in its text: what stands for it is seen where the macro is called */
    TOKEN_LINE    /* the end of one */
};

struct token {
    uint32_t word; /* index of its text in scan.words */
    uint32_t line;
    uint16_t file;
    uint8_t kind;
    uint8_t flags;
};
enum { GLUED = 1 /* to the token before */, INSIDE_BRACES = 2, INSIDE_PARENS = 4 /* these two in scan.code */ };

struct tokens {
    struct token *at;
    uint32_t count, room;
};

enum { WORD_PLAIN = 0, WORD_KEYWORD, WORD_USER, WORD_USER_CALLED }; /* the last one where a parenthesis follows */

struct word {
    char *text;
    uint32_t length, next; /* of the same hash */
    uint32_t first_macro, first_piece; /* in scan.owners, of those that it names */
    uint32_t seen;
    uint8_t class;
    uint8_t calls; /* of a macro: CALLS_*, what its text may begin */
};
enum { CALLS_UNKNOWN = 0, CALLS_NOTHING, CALLS_SOMETHING };

/* A macro, or a piece of a file: a definition or declaration at the top level, with all that lies in it. */
struct part {
    uint32_t from, to; /* in scan.code or, of a macro, in scan.bodies */
    uint32_t seen, reached_by;
    bool macro, option;
};

/* `word` is a name of `part`. */
struct owner {
    uint32_t part, next;
};

#define SCAN_NONE UINT32_MAX
#define SCAN_HASHES 4096u
#define SCAN_STEPS 50000000u
#define SCAN_TEXTS 64u

struct scan {
    struct word *words;
    uint32_t word_count, word_room, hashes[SCAN_HASHES];
    struct tokens code, bodies;
    struct part *parts;
    uint32_t part_count, part_room;
    struct owner *owners;
    uint32_t owner_count, owner_room;
    uint32_t *stack; /* words to be looked at */
    uint32_t stack_count, stack_room;
    const struct scan_text *texts; /* while they are read */
    uint32_t text_count, turn;
    uint32_t reading; /* which of them; SCAN_NONE: none */
    struct include_folders folders;
    uint32_t file_words[SCAN_TEXTS]; /* a quote and the text's name; SCAN_NONE: it has none */
    uint64_t includes[SCAN_TEXTS];   /* of each text, those that it includes */
    uint64_t inside;                 /* those that are included in the middle of a function or declaration */
    uint64_t steps; /* on the way to names */
    bool no_memory;
    char lost[128]; /* why the texts cannot be followed; "": they can */
};

/* The index of a text's word; 0 without memory. */
uint32_t scan_word(struct scan *s, const char *text, size_t length);
void scan_token(struct scan *s, struct tokens *to, struct token token);
void scan_name(struct scan *s, uint32_t word, uint32_t part);
uint32_t scan_part(struct scan *s, struct part part);
/* Puts a word on the stack that has not been there in this turn. */
void scan_push(struct scan *s, uint32_t word);
/* Makes room for one more element; false without memory. */
bool scan_room(struct scan *s, void *array, uint32_t *room, uint32_t count, size_t size);
/* Every kernel counts as a user from now on; the first reason stays, with the name of the text that is being read. */
__attribute__((format(printf, 2, 3))) void scan_lost(struct scan *s, const char *format, ...);

static inline bool is_sign(const struct token *t, char sign)
{
    return t->kind == TOKEN_SIGN && t->word == (uint32_t)sign;
}

/* Of a word, number or string; else "". */
static inline const char *token_text(const struct scan *s, const struct token *t)
{
    return t->kind == TOKEN_WORD || t->kind == TOKEN_NUMBER || t->kind == TOKEN_STRING ? s->words[t->word].text : "";
}

/* scan_words.c */
uint8_t scan_class(const char *word);

/* scan_lex.c: comments, strings and continued lines are gone, digraphs are the signs that they stand for. */
void scan_lex(struct scan *s, const uint8_t *bytes, size_t length, uint16_t file, struct tokens *out);

/* scan_pieces.c */
struct pieces {
    uint32_t from; /* of the piece that has begun, in scan.code */
    int braces, parens;
    bool called, assigned, is_typedef; /* of its tokens outside of braces */
    uint32_t held; /* conditionals that it began before: it does not end inside of them */
    bool ended;    /* but would have, with its last token */
};
void pieces_token(struct scan *s, struct pieces *p, struct token token);
/* Whether what comes next begins a piece, or would if none was held. */
bool pieces_between(const struct scan *s, const struct pieces *p);
bool pieces_empty(const struct scan *s, const struct pieces *p);
/* After a conditional, or the file. */
void pieces_cut(struct scan *s, struct pieces *p);

/* Of one file, line by line. */
#define SCAN_DEEPEST 64

/* A conditional: where its branches begin, and where the first one ended. */
struct branch {
    int braces, parens, end_braces, end_parens;
    bool ended, last, held;
    bool between; /* pieces, where the branches begin */
    bool open;    /* a branch ended within a piece */
    bool foreign; /* of C++: what stands before its #else is none of this */
};

struct lines {
    struct scan *s;
    const struct tokens *raw;
    struct pieces pieces;
    struct branch branches[SCAN_DEEPEST];
    uint32_t depth;
    uint32_t nested;    /* conditionals within text that is left out */
    bool left_out;
    int64_t renumbered; /* by #line */
    uint16_t file;
};

/* scan_lines.c: macros are kept; what is left is code. */
void scan_lines(struct scan *s, const struct tokens *raw, uint16_t file);
uint32_t line_of(const struct lines *l, const struct token *t);
/* Whether the brackets of a part of scan.bodies close each other. */
bool scan_balanced(const struct scan *s, uint32_t from, uint32_t to);

/* scan_branches.c: whether the directive between `at`, behind its #, and `end` is about a conditional; it has been followed then. */
bool branch_line(struct lines *l, uint32_t at, uint32_t end);

/* scan_options.c */
void scan_options(struct scan *s, const char *options);

/* scan_names.c: when all macros are known, what each piece defines. */
void scan_names(struct scan *s);

/* scan_include.c: the text that an #include in text `file` names, in quotes or angled; SCAN_NONE: none of them, or itself. */
uint32_t scan_included(const struct scan *s, uint16_t file, const char *name, bool angled);
/* A text and all that it brings in, by others too: a bit for each. */
uint64_t scan_brought(const struct scan *s, uint32_t text);
/* What is included in the middle of a piece has a word there that stands for it: it names all pieces of that text. */
void scan_include_names(struct scan *s);

#endif
