/* Words that mean something to the scanner. */
#include <string.h>

#include "scan_parts.h"

/* What depends on the work-group size, or hides what it is. */
static const char *const users[] = {
    "barrier", "local", "__local", "get_local_id", "get_local_size", "get_local_linear_id", "get_group_id", "get_num_groups",
    "get_enqueued_local_size", "wait_group_events", "asm", "__asm", "__asm__", "memory_scope_work_group", "memory_scope_sub_group",
    "event_t", "get_max_sub_group_size", "get_num_sub_groups", "get_enqueued_num_sub_groups",
};
static const char *const user_beginnings[] = {
    "work_group_", "sub_group_", "get_sub_group_", "intel_sub_group_", "qcom_sub_group_", "async_work_group_", "__builtin_amdgcn_",
    "__nvvm_", "__spirv_", "__pocl", "_pocl",
};
/* In words that begin with an underscore, which are the implementation's: mangled names, ids as variables. */
static const char *const user_parts[] = {"local_id", "local_size", "local_linear_id", "group_id", "num_groups", "barrier", "work_group",
                                         "sub_group", "group_events"};
/* A text names another function. */
static const char *const called_users[] = {"alias", "__alias__", "weakref", "__weakref__", "ifunc", "__ifunc__"};

/* What defines nothing by standing at the top level. */
static const char *const keywords[] = {
    "kernel", "__kernel", "global", "__global", "constant", "__constant", "private", "__private", "generic", "__generic", "read_only",
    "__read_only", "write_only", "__write_only", "read_write", "__read_write", "const", "volatile", "restrict", "__restrict",
    "__restrict__", "static", "extern", "inline", "__inline", "__inline__", "typedef", "struct", "union", "enum", "void", "bool", "signed",
    "unsigned", "size_t", "ptrdiff_t", "intptr_t", "uintptr_t", "half", "if", "else", "for", "while", "do", "switch", "case", "default",
    "return", "break", "continue", "goto", "sizeof", "__attribute__", "__attribute", "pipe", "atomic_int", "atomic_uint", "sampler_t",
};
static const char *const numbers[] = {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double", "half"};

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static bool listed(const char *word, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(word, list[i]))
            return true;
    return false;
}

/* A number, or a vector of these. */
static bool is_number(const char *word)
{
    for (size_t i = 0; i < COUNT(numbers); i++) {
        size_t n = strlen(numbers[i]);
        if (!strncmp(word, numbers[i], n) && !word[n + strspn(word + n, "123468")])
            return true;
    }
    return false;
}

uint8_t scan_class(const char *word)
{
    if (listed(word, users, COUNT(users)))
        return WORD_USER;
    for (size_t i = 0; i < COUNT(user_beginnings); i++)
        if (!strncmp(word, user_beginnings[i], strlen(user_beginnings[i])) && strcmp(word, "work_group_size_hint"))
            return WORD_USER;
    for (size_t i = 0; *word == '_' && i < COUNT(user_parts); i++)
        if (strstr(word, user_parts[i]) && !strstr(word, "work_group_size"))
            return WORD_USER;
    if (listed(word, called_users, COUNT(called_users)))
        return WORD_USER_CALLED;
    return listed(word, keywords, COUNT(keywords)) || is_number(word) ? WORD_KEYWORD : WORD_PLAIN;
}
