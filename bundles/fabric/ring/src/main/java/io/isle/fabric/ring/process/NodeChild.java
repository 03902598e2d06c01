package io.isle.fabric.ring.process;

import io.isle.fabric.ring.process.wire.Answer;
import io.isle.fabric.ring.process.wire.MessageLine;
import io.isle.fabric.ring.process.wire.Order;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A process of a node with its line. Thread-safe, except for the receiving side of the line. */
record NodeChild(Process process, MessageLine<Order, Answer> line, ChildLog log) {
  /** Added to the signal that ended a process, in its exit value. */
  private static final int SIGNALLED = 128;

  long pid() {
    return process.pid();
  }

  /** Ends the process by force, soon. */
  void kill() {
    Process ignored = process.destroyForcibly();
  }

  /**
   * Waits for the end of the process, which is forced after some time. An interrupt forces the end
   * at once, and stays set.
   */
  void end(Duration patience) {
    try {
      if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        kill();
        int ignored = process.waitFor();
      }
    } catch (InterruptedException e) {
      kill();
      Thread.currentThread().interrupt();
    }
  }

  /** Ends a process by force, and waits for its end; an interrupt ends the wait, and stays set. */
  static void endNow(Process process) {
    try {
      int ignored = process.destroyForcibly().waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** How the process ended, in words. */
  static String ending(Process process) {
    if (process.isAlive()) {
      return "has closed its socket";
    }
    int code = process.exitValue();
    return code > SIGNALLED
        ? "was ended by signal " + (code - SIGNALLED)
        : "exited with code " + code;
  }
}
