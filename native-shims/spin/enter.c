/* Ways from the runtime into a handler and back, and from a handler into the runtime and back: each changes the stack. */
#include "hpu.h"

#include <stddef.h>

__thread struct hpu *spin_self __attribute__((tls_model("initial-exec")));

#if defined(__x86_64__)

_Static_assert(offsetof(struct hpu, stack) == 0 && offsetof(struct hpu, call_stack) == 8 && offsetof(struct hpu, active) == 16 &&
                   offsetof(struct hpu, in_call) == 20 && offsetof(struct hpu, pending) == 24,
               "the offsets below");

/* Direction, nested task, checks of alignment. */
#define BAD_FLAGS "0x44400"
#define SELF_IN_R10 "movq spin_self@gottpoff(%rip), %r10\nmovq %fs:(%r10), %r10\n"

/*
 * While `active` is set, a signal may continue at spin_leave, with the hpu in r10: so it is set after the stack is known and cleared before
 * its frame goes. A handler may return with any flags: those that functions rely on are put right here. Floating-point control words are
 * put right by spin_controls, where nobody waits for it: what runs until then does not compute with such numbers.
 */
__asm__(".text\n"
        ".globl spin_enter\n.hidden spin_enter\n.type spin_enter, @function\n"
        "spin_enter:\n"
        "pushq %rbp\npushq %rbx\npushq %r12\npushq %r13\npushq %r14\npushq %r15\n"
        "subq $8, %rsp\n"
        "movq %rsp, " HPU_STACK "(%rdi)\n"
        "movl $1, " HPU_ACTIVE "(%rdi)\n"
        "movq %rcx, %rsp\nmovq %rdx, %rdi\nxorl %ebp, %ebp\n"
        "call *%rsi\n"
        "xorl %eax, %eax\n" SELF_IN_R10 "jmp 1f\n"
        ".globl spin_leave\n.hidden spin_leave\n.type spin_leave, @function\n"
        "spin_leave:\n"
        "movl $1, %eax\n"
        "1:\n"
        "movq " HPU_STACK "(%r10), %rsp\n"
        "movl $0, " HPU_ACTIVE "(%r10)\n"
        "pushfq\nandl $~" BAD_FLAGS ", (%rsp)\npopfq\n"
        "addq $8, %rsp\n"
        "popq %r15\npopq %r14\npopq %r13\npopq %r12\npopq %rbx\npopq %rbp\n"
        "ret\n"
        ".size spin_enter, . - spin_enter\n");

void spin_controls(void)
{
    static const uint32_t mxcsr = 0x1f80;
    __asm__ volatile("fninit\nldmxcsr %0" : : "m"(mxcsr));
}

/* r11: the function of the runtime. Its stack is the thread's, so that a handler at the end of its own does no harm. */
__asm__("spin_thunk:\n" SELF_IN_R10
        "movq %rsp, " HPU_CALL_STACK "(%r10)\n"
        "movl $1, " HPU_IN_CALL "(%r10)\n"
        "movq " HPU_STACK "(%r10), %rsp\n"
        "cld\n"
        "call *%r11\n" SELF_IN_R10
        "movq " HPU_CALL_STACK "(%r10), %rsp\n"
        "movl $0, " HPU_IN_CALL "(%r10)\n"
        "cmpl $0, " HPU_PENDING "(%r10)\n"
        "jne spin_leave\n"
        "ret\n");

#define THUNK(name) "spin_thunk_" #name ": leaq spin_" #name "(%rip), %r11\njmp spin_thunk\n"
#define ADDRESS(name) ".quad spin_thunk_" #name "\n"
#define EACH(what) ISLE_SPIN_CALLS(what)
__asm__(EACH(THUNK) ".section .data.rel.ro, \"aw\", @progbits\n.balign 8\n.globl spin_thunks\n.hidden spin_thunks\nspin_thunks:\n" EACH(ADDRESS)
            ".text\n");

#endif
