/* Output, and the ways to end a handler. */
#include <assert.h>
#include <isle_calls.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define LINE 512u /* the longest text of a call */

int vprintf(const char *format, va_list values)
{
    char line[LINE + 1];
    int n = vsnprintf(line, sizeof line, format, values);
    isle_print(line, (uint32_t)n > LINE ? LINE : (uint32_t)n);
    return n;
}

int printf(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    int n = vprintf(format, values);
    va_end(values);
    return n;
}

int puts(const char *text)
{
    return printf("%s\n", text);
}

int putchar(int c)
{
    char one = (char)c;
    isle_print(&one, 1);
    return (unsigned char)one;
}

void __isle_assert_failed(const char *condition, const char *file, int line)
{
    printf("%s:%d: assertion failed: %s\n", file, line, condition);
    abort();
}

void abort(void)
{
    exit(EXIT_FAILURE);
}

void exit(int code)
{
    isle_exit((uint32_t)code);
    __builtin_trap();
}
