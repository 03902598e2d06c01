/* The builtin programs. */
#ifndef ISLE_SOFT_PROGRAMS_H
#define ISLE_SOFT_PROGRAMS_H

#include "soft.h"

enum {
    PROGRAM_NOOP,
    PROGRAM_FILL,
    PROGRAM_COPY,
    PROGRAM_SHA256,
    PROGRAM_HISTOGRAM,
    PROGRAM_BUSY,
    PROGRAM_CONVOLVE_U8,
    PROGRAM_CONVOLVE_F32,
    PROGRAM_MATMUL_F32,
    PROGRAM_MATMUL_I8,
    PROGRAM_REDUCE,
    PROGRAM_SORT,
    PROGRAM_COUNT
};
extern const isle_program_entry soft_builtins[PROGRAM_COUNT];
bool program_is_noop(isle_program_handle program);
bool program_belongs(isle_program_handle program, AccelContextHandle context);
uint32_t program_index(isle_program_handle program);
extern const isle_programs_vtable soft_programs;

#endif
