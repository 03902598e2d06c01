package io.isle.faces.shell;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import org.jline.terminal.Attributes;
import org.jline.terminal.Terminal;

/** Keys of a terminal, as they are pressed; until it is closed they are not shown. */
final class Keys implements AutoCloseable {
  private static final int EXPIRED = -2;
  private static final int CTRL_C = 3;

  private final Terminal terminal;
  private final Attributes before;

  /**
   * @param terminal null where there is no keyboard
   */
  Keys(Terminal terminal) {
    this.terminal = terminal;
    this.before = terminal == null ? null : terminal.enterRawMode();
  }

  /** Lets that much time pass; true at once when q is pressed, or the terminal is gone. */
  boolean quit(long ms) throws InterruptedException {
    if (terminal == null) {
      Thread.sleep(ms);
      return false;
    }
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
    long left = ms;
    try {
      while (left > 0) {
        int key = terminal.reader().read(left);
        if (key != EXPIRED && (key < 0 || key == 'q' || key == 'Q' || key == CTRL_C)) {
          return true;
        }
        left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      }
      return false;
    } catch (InterruptedIOException e) {
      throw new InterruptedException(e.getMessage());
    } catch (IOException e) {
      return true;
    }
  }

  @Override
  public void close() {
    if (terminal != null) {
      terminal.setAttributes(before);
    }
  }
}
