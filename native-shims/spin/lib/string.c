/* Memory and text. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *memcpy(void *restrict to, const void *restrict from, size_t length)
{
    void *at = to;
    __asm__ volatile("rep movsb" : "+D"(at), "+S"(from), "+c"(length) : : "memory");
    return to;
}

void *memmove(void *to, const void *from, size_t length)
{
    char *t = to;
    const char *f = from;
    if (t <= f || t >= f + length)
        return memcpy(to, from, length);
    while (length--) {
        t[length] = f[length];
        __asm__ volatile("" : : : "memory"); /* or the compiler would call memmove */
    }
    return to;
}

void *memset(void *to, int value, size_t length)
{
    void *at = to;
    __asm__ volatile("rep stosb" : "+D"(at), "+c"(length) : "a"(value) : "memory");
    return to;
}

int memcmp(const void *a, const void *b, size_t length)
{
    const unsigned char *x = a, *y = b;
    for (size_t i = 0; i < length; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

void *memchr(const void *in, int value, size_t length)
{
    const unsigned char *at = in;
    for (size_t i = 0; i < length; i++)
        if (at[i] == (unsigned char)value)
            return (void *)(at + i);
    return NULL;
}

size_t strnlen(const char *text, size_t most)
{
    size_t n = 0;
    while (n < most && text[n])
        n++;
    return n;
}

size_t strlen(const char *text)
{
    return strnlen(text, SIZE_MAX);
}

int strncmp(const char *a, const char *b, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (a[i] != b[i] || !a[i])
            return (unsigned char)a[i] - (unsigned char)b[i];
    return 0;
}

int strcmp(const char *a, const char *b)
{
    return strncmp(a, b, SIZE_MAX);
}

char *strncpy(char *restrict to, const char *restrict from, size_t length)
{
    size_t n = strnlen(from, length);
    memcpy(to, from, n);
    memset(to + n, 0, length - n);
    return to;
}

char *strcpy(char *restrict to, const char *restrict from)
{
    return memcpy(to, from, strlen(from) + 1);
}

char *strchr(const char *text, int c)
{
    return memchr(text, c, strlen(text) + 1);
}

int abs(int n)
{
    return n < 0 ? -n : n;
}

long labs(long n)
{
    return n < 0 ? -n : n;
}
