#include "buildlog.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LOG (1u << 20)

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

void log_build(struct device *d, cl_program program, char *log, uint64_t size)
{
    size_t n = 0;
    if (!log || !size || d->cl->GetProgramBuildInfo(program, d->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &n) || n < 2 || n > MOST_LOG)
        return;
    char *text = malloc(n);
    if (text && !d->cl->GetProgramBuildInfo(program, d->id, CL_PROGRAM_BUILD_LOG, n, text, NULL)) {
        text[n - 1] = 0;
        log_line(log, size, "%s", text);
    }
    free(text);
}
