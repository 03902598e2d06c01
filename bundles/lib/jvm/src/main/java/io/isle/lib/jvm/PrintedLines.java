package io.isle.lib.jvm;

import io.isle.api.base.ForeignText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** What a process prints, in lines. Static methods, any thread. */
public final class PrintedLines {
  private static final int MOST_LINE = 2000;

  private PrintedLines() {}

  /**
   * Reads to the end of the stream. A line is cut at 2000 bytes; characters that would harm a log
   * are replaced; empty lines are left out.
   */
  public static void forward(InputStream from, Consumer<String> to) throws IOException {
    byte[] line = new byte[MOST_LINE];
    int length = 0;
    byte[] block = new byte[4096];
    for (int n = from.read(block); n >= 0; n = from.read(block)) {
      for (int i = 0; i < n; i++) {
        if (block[i] == '\n') {
          pass(line, length, to);
          length = 0;
        } else if (length < MOST_LINE) {
          line[length++] = block[i];
        }
      }
    }
    pass(line, length, to);
  }

  private static void pass(byte[] line, int length, Consumer<String> to) {
    String text = ForeignText.line(new String(line, 0, length, StandardCharsets.UTF_8));
    if (!text.isEmpty()) {
      to.accept(text);
    }
  }
}
