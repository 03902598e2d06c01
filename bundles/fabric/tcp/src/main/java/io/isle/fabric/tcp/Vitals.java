package io.isle.fabric.tcp;

/** What the kernel knows about a connection, read again and again. One thread at a time. */
interface Vitals {
  /**
   * Reads the present values.
   *
   * @return 0, or a negated errno
   */
  int read(int descriptor);

  /** Such as {@link io.isle.lib.ffi.TcpInfo#TCP_ESTABLISHED}. */
  int state();

  /** Repetitions, not answered so far, of what was sent. */
  int retransmits();

  /** Probes, not answered so far, of an idle connection or of a full window. */
  int probes();

  /** Milliseconds since the last acknowledgement; negative if unknown. */
  long sinceAcknowledged();
}
