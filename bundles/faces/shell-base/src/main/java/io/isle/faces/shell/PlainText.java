package io.isle.faces.shell;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Drops terminal control sequences (ESC [ ... final byte), for callers whose output is no terminal:
 * some of Karaf's commands colour without asking. Not thread-safe.
 */
public final class PlainText extends OutputStream {
  private static final int ESCAPE = 0x1b;

  private enum State {
    TEXT,
    ESCAPED,
    SEQUENCE
  }

  private final OutputStream out;
  private State state = State.TEXT;

  /** Writes what it keeps to {@code out}. */
  public PlainText(OutputStream out) {
    this.out = out;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    int kept = 0;
    byte[] text = new byte[length];
    for (int i = offset; i < offset + length; i++) {
      if (keeps(bytes[i] & 0xff)) {
        text[kept++] = bytes[i];
      }
    }
    if (kept > 0) {
      out.write(text, 0, kept);
    }
  }

  private boolean keeps(int b) {
    switch (state) {
      case TEXT -> {
        if (b == ESCAPE) {
          state = State.ESCAPED;
          return false;
        }
        return true;
      }
      case ESCAPED -> state = b == '[' ? State.SEQUENCE : State.TEXT;
      case SEQUENCE -> state = b >= 0x40 && b <= 0x7e ? State.TEXT : State.SEQUENCE;
    }
    return false;
  }

  @Override
  public void flush() throws IOException {
    out.flush();
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
