#ifndef ISLE_LAYOUT_H
#define ISLE_LAYOUT_H

#include <stddef.h>
#include <stdio.h>

#include "isle_wire.h"

#define STRUCT(s) printf(#s " %zu\n", sizeof(s))
#define FIELD(s, f) printf(#s "." #f " %zu %zu\n", offsetof(s, f), sizeof(((s *)0)->f))
#define FLEXIBLE(s, f) printf(#s "." #f " %zu 0\n", offsetof(s, f))

void framework_layout(void);
void wire_layout(void);
void display_layout(void);
void tango_layout(void);
void net_layout(void);
void spin_layout(void);

#endif
