package io.isle.apps.blockhash;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The lines of a text, as much of each as a hash and its index need. Used by one thread. */
final class Lines {
  /** A hash, two blanks and an index, and one character more, so that longer lines differ. */
  private static final int MOST = 64 + 2 + 19 + 1;

  private final InputStream in;

  Lines(InputStream in) {
    this.in = in;
  }

  /** The beginning of the next line; null when there is none. */
  String next() throws IOException {
    byte[] line = new byte[MOST];
    int used = 0;
    int next = in.read();
    if (next < 0) {
      return null;
    }
    while (next >= 0 && next != '\n') {
      if (used < MOST) {
        line[used++] = (byte) next;
      }
      next = in.read();
    }
    return new String(line, 0, used, StandardCharsets.ISO_8859_1);
  }
}
