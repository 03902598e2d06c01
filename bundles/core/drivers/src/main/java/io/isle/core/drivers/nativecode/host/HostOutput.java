package io.isle.core.drivers.nativecode.host;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Lines that a driver host prints, however it prints them: a line is cut at a length, and of a
 * flood only so many lines a second are passed on, with a count of those that were not. Whatever
 * passing a line on throws, the next ones are read: else the host would block as it prints.
 */
final class HostOutput {
  static final int MAX_LINE = 2000;
  static final int LINES_A_SECOND = 100;
  private static final long SECOND_NS = 1_000_000_000L;

  private final Consumer<String> to;
  private final LongSupplier clock;
  private final byte[] line = new byte[MAX_LINE];
  private int length;
  private boolean any;
  private long windowNs;
  private int inWindow;
  private long dropped;

  HostOutput(Consumer<String> to, LongSupplier clock) {
    this.to = to;
    this.clock = clock;
    this.windowNs = clock.getAsLong();
  }

  /** Reads to the end of the stream. */
  void forward(InputStream from) throws IOException {
    byte[] block = new byte[8192];
    for (int n = from.read(block); n >= 0; n = from.read(block)) {
      for (int i = 0; i < n; i++) {
        take(block[i]);
      }
    }
    if (any) {
      end();
    }
    tellDropped();
  }

  private void take(byte b) {
    if (b == '\n') {
      end();
      return;
    }
    any = true;
    if (length < MAX_LINE) {
      line[length++] = b;
    }
  }

  private void end() {
    long now = clock.getAsLong();
    if (now - windowNs >= SECOND_NS) {
      tellDropped();
      windowNs = now;
      inWindow = 0;
    }
    if (inWindow < LINES_A_SECOND) {
      inWindow++;
      pass(
          new String(line, 0, length, StandardCharsets.UTF_8)
              .replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", " "));
    } else {
      dropped++;
    }
    length = 0;
    any = false;
  }

  private void tellDropped() {
    if (dropped > 0) {
      pass("(" + dropped + " more lines were dropped)");
      dropped = 0;
    }
  }

  private void pass(String text) {
    try {
      to.accept(text);
    } catch (RuntimeException | Error e) {
      // it is the log that fails: there is nobody to tell
    }
  }
}
