#include <stdarg.h>
#include <stdio.h>

#include "kit.h"

void kit_log(const isle_core *core, uint32_t level, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    core->log(core->core, level, text);
}
