/* Formatted text. Conversions d i u x X o c s p and %, with the flags - 0 # + and space, width, precision, and the lengths hh h l ll z j t. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define MOST 512 /* width, precision, and a text without one */

struct text {
    char *to;
    size_t size;
    size_t length; /* without limit */
};

struct format {
    bool left, zeros, plus, space, alternate;
    int width, precision; /* precision -1: none */
    int longs;            /* -2 char, -1 short, 0 int, 1 long, 2 long long */
};

static void put(struct text *t, char c)
{
    if (t->length + 1 < t->size)
        t->to[t->length] = c;
    t->length++;
}

static void put_all(struct text *t, const char *from, size_t length)
{
    for (size_t i = 0; i < length; i++)
        put(t, from[i]);
}

static void put_many(struct text *t, char c, int count)
{
    while (count-- > 0)
        put(t, c);
}

/* prefix, zeros, body; filled up to the width */
static void put_field(struct text *t, const struct format *f, const char *prefix, int zeros, const char *body, int length)
{
    int room = f->width - (int)strlen(prefix) - zeros - length;
    if (!f->left)
        put_many(t, ' ', room);
    put_all(t, prefix, strlen(prefix));
    put_many(t, '0', zeros);
    put_all(t, body, (size_t)length);
    if (f->left)
        put_many(t, ' ', room);
}

static void put_number(struct text *t, const struct format *f, uint64_t value, const char *prefix, unsigned base, bool upper)
{
    char digits[24];
    int n = 0;
    for (uint64_t v = value; v; v /= base)
        digits[sizeof digits - 1 - n++] = (upper ? "0123456789ABCDEF" : "0123456789abcdef")[v % base];
    if (!n && f->precision)
        digits[sizeof digits - 1 - n++] = '0';
    int zeros = f->precision > n ? f->precision - n : 0;
    if (f->precision < 0 && f->zeros && !f->left && f->width > n + (int)strlen(prefix))
        zeros = f->width - n - (int)strlen(prefix);
    put_field(t, f, prefix, zeros, digits + sizeof digits - n, n);
}

static int number(const char **at, va_list *values)
{
    int n = 0;
    if (**at == '*') {
        (*at)++;
        n = va_arg(*values, int);
    } else {
        for (; **at >= '0' && **at <= '9'; (*at)++)
            n = n > MOST ? n : n * 10 + **at - '0';
    }
    return n > MOST ? MOST : n < -MOST ? -MOST : n;
}

static const char *read_format(const char *at, struct format *f, va_list *values)
{
    for (;; at++) {
        if (*at == '-')
            f->left = true;
        else if (*at == '0')
            f->zeros = true;
        else if (*at == '+')
            f->plus = true;
        else if (*at == ' ')
            f->space = true;
        else if (*at == '#')
            f->alternate = true;
        else
            break;
    }
    f->width = number(&at, values);
    if (f->width < 0) {
        f->left = true;
        f->width = -f->width;
    }
    f->precision = -1;
    if (*at == '.') {
        at++;
        f->precision = number(&at, values);
    }
    for (;; at++) {
        if (*at == 'h')
            f->longs--;
        else if (*at == 'l')
            f->longs++;
        else if (*at == 'j')
            f->longs = 2;
        else if (*at != 'z' && *at != 't')
            return at;
    }
}

static int64_t take_signed(const struct format *f, va_list *values)
{
    if (f->longs >= 2)
        return va_arg(*values, long long);
    int v = va_arg(*values, int); /* a long is as wide */
    return f->longs == -1 ? (short)v : f->longs <= -2 ? (signed char)v : v;
}

static uint64_t take_unsigned(const struct format *f, va_list *values)
{
    if (f->longs >= 2)
        return va_arg(*values, unsigned long long);
    unsigned v = va_arg(*values, unsigned);
    return f->longs == -1 ? (unsigned short)v : f->longs <= -2 ? (unsigned char)v : v;
}

static void put_signed(struct text *t, const struct format *f, int64_t v)
{
    put_number(t, f, v < 0 ? -(uint64_t)v : (uint64_t)v, v < 0 ? "-" : f->plus ? "+" : f->space ? " " : "", 10, false);
}

static void put_text(struct text *t, const struct format *f, const char *s)
{
    if (!s)
        s = "(null)";
    put_field(t, f, "", 0, s, (int)strnlen(s, f->precision < 0 ? MOST : (size_t)f->precision));
}

static void put_unsigned(struct text *t, const struct format *f, char conversion, uint64_t v)
{
    const char *prefix = !f->alternate || !v ? "" : conversion == 'x' ? "0x" : conversion == 'X' ? "0X" : conversion == 'o' ? "0" : "";
    put_number(t, f, v, prefix, conversion == 'o' ? 8 : conversion == 'u' ? 10 : 16, conversion == 'X');
}

static void convert(struct text *t, char conversion, const struct format *f, va_list *values)
{
    char c;
    switch (conversion) {
    case 'd':
    case 'i':
        put_signed(t, f, take_signed(f, values));
        return;
    case 'u':
    case 'x':
    case 'X':
    case 'o':
        put_unsigned(t, f, conversion, take_unsigned(f, values));
        return;
    case 'p':
        put_number(t, f, (uintptr_t)va_arg(*values, void *), "0x", 16, false);
        return;
    case 'c':
        c = (char)va_arg(*values, int);
        put_field(t, f, "", 0, &c, 1);
        return;
    case 's':
        put_text(t, f, va_arg(*values, const char *));
        return;
    default:
        put(t, '%');
        if (conversion != '%')
            put(t, conversion);
    }
}

int vsnprintf(char *to, size_t size, const char *format, va_list given)
{
    struct text t = {to, size, 0};
    va_list values;
    va_copy(values, given);
    for (const char *at = format; *at; at++) {
        struct format f = {0};
        if (*at != '%') {
            put(&t, *at);
            continue;
        }
        at = read_format(at + 1, &f, &values);
        if (!*at)
            break;
        convert(&t, *at, &f, &values);
    }
    va_end(values);
    if (size)
        to[t.length < size ? t.length : size - 1] = 0;
    return (int)t.length;
}

int snprintf(char *to, size_t size, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    int n = vsnprintf(to, size, format, values);
    va_end(values);
    return n;
}
