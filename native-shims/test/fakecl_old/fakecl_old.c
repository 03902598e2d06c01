/* The same library as it was before there were event callbacks. */
#define FAKECL_OLD
#include "../fakecl/fakecl.c"
