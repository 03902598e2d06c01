/* What handlers need of C's: there is no heap. */
#ifndef _STDLIB_H
#define _STDLIB_H

#include <stddef.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1

int abs(int n);
long labs(long n);
/* Both are traps: they end this handler, not its program. */
void abort(void) __attribute__((noreturn));
void exit(int code) __attribute__((noreturn));

#endif
