package io.isle.net.xdp.bpf;

/** The registers of eBPF. A call takes r1 to r5, gives its result in r0 and keeps r6 to r9. */
enum Register {
  /** Result of calls and of the program. */
  R0,
  /** The context at the begin. */
  R1,
  R2,
  R3,
  R4,
  R5,
  R6,
  R7,
  R8,
  R9,
  /** End of the stack; for reading. */
  R10
}
