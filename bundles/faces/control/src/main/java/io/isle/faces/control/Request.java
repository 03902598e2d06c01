package io.isle.faces.control;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * One request of a client.
 *
 * @param cwd the caller's working directory, absolute
 * @param role viewer, manager or admin
 * @param columns width of the caller's terminal, 20 to 1000; 80 where it has none
 * @param tty whether the caller's standard output is a terminal
 * @param verbose whether failures are reported with their stack trace
 * @param command what to run
 */
record Request(
    String cwd, Role role, int columns, boolean tty, boolean verbose, CommandLine command) {
  /** Longest request that is read, in bytes. */
  static final int MAX_BYTES = 1 << 20;

  private static final Pattern NUL = Pattern.compile("\0");

  /**
   * Reads one request.
   *
   * @throws RequestException if what came is not a request; the message says what is wrong
   * @throws IOException if the stream ends or fails first
   */
  static Request read(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 1 || length > MAX_BYTES) {
      throw new RequestException("length " + length + " is not in 1.." + MAX_BYTES);
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return parse(new String(bytes, StandardCharsets.UTF_8));
  }

  /** Parses the entries. */
  static Request parse(String text) throws RequestException {
    String cwd = null;
    Role role = Role.ADMIN;
    int columns = 80;
    boolean tty = false;
    boolean verbose = false;
    String line = "";
    List<String> words = new ArrayList<>();
    for (String entry : NUL.split(text)) {
      int split = entry.indexOf('=');
      if (split < 0) {
        throw new RequestException("entry without '='");
      }
      String value = entry.substring(split + 1);
      switch (entry.substring(0, split)) {
        case "cwd" -> cwd = value;
        case "role" -> role = Role.of(value);
        case "columns" -> columns = columns(value);
        case "tty" -> tty = value.equals("1");
        case "verbose" -> verbose = value.equals("1");
        case "line" -> line = value;
        case "word" -> words.add(value);
        default -> throw new RequestException("unknown key " + entry.substring(0, split));
      }
    }
    if (cwd == null || !cwd.startsWith("/")) {
      throw new RequestException("cwd must be an absolute path");
    }
    if (line.isBlank() == words.isEmpty()) {
      throw new RequestException("exactly one of the keys line and words is needed");
    }
    CommandLine command = words.isEmpty() ? CommandLine.of(line) : CommandLine.of(words);
    return new Request(cwd, role, columns, tty, verbose, command);
  }

  private static int columns(String value) throws RequestException {
    try {
      return Math.clamp(Integer.parseInt(value), 20, 1000);
    } catch (NumberFormatException e) {
      throw new RequestException("columns is not a number: " + value);
    }
  }
}
