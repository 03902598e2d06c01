package io.isle.core.accel.sched;

import java.io.IOException;

/** A file is no journal of a scheduler, or is broken; the message says where. */
public final class JournalFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  public JournalFormatException(String message) {
    super(message);
  }
}
