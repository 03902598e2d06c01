/* Each call jumps to the address that the loader has written into its slot: 64 bits wide, so the runtime lies anywhere. */
#include <isle_calls.h>

#define SLOT(name) ".globl " #name "\n.hidden " #name "\n.type " #name ", @function\n" #name ": jmp *.Lslot_" #name "(%rip)\n"
#define STORE(name) ".Lslot_" #name ": .quad 0\n"
#define EACH_SLOT(name) SLOT(name)
#define EACH_STORE(name) STORE(name)

__asm__(".text\n" ISLE_SPIN_CALLS(EACH_SLOT)
        ".section .data.rel.ro.isle_calls, \"aw\", @progbits\n.balign 8\n.globl isle_calls\n.hidden isle_calls\nisle_calls:\n"
        ISLE_SPIN_CALLS(EACH_STORE) ".text\n");
