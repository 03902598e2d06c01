/* As C's; a failed assertion is a trap. */
#ifndef _ASSERT_H
#define _ASSERT_H

#define static_assert _Static_assert
void __isle_assert_failed(const char *condition, const char *file, int line) __attribute__((noreturn));

#endif

#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) ((condition) ? (void)0 : __isle_assert_failed(#condition, __FILE__, __LINE__))
#endif
