#include "buildlog.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "opencl.h"

void log_line(char *log, uint64_t size, const char *format, ...)
{
    size_t used = log && size ? strnlen(log, size) : 0;
    if (!log || used + 1 >= size)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(log + used, size - used, format, args);
    va_end(args);
    used = strlen(log);
    if (used + 1 < size)
        memcpy(log + used, "\n", 2);
}
