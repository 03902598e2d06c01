package io.isle.net.xdp.attach;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The program net-peer: an app in C, in a process of its own. */
final class Peer implements AutoCloseable {
  /** User that the program chooses where it may. */
  static final int NOBODY = 65534;

  private final Process process;
  private final BufferedReader out;

  Peer(Path program, Path socket, String... arguments) {
    try {
      List<String> command = new ArrayList<>(List.of(program.toString(), socket.toString()));
      command.addAll(List.of(arguments));
      ProcessBuilder builder = new ProcessBuilder(command);
      builder.redirectError(ProcessBuilder.Redirect.INHERIT);
      process = builder.start();
      out = process.inputReader(StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void tell(String command) {
    try {
      process.getOutputStream().write((command + "\n").getBytes(StandardCharsets.US_ASCII));
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The next line; empty at the end. */
  String line() {
    try {
      String line = out.readLine();
      return line == null ? "" : line;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String ask(String command) {
    tell(command);
    return line();
  }

  /** Ends the input; the exit code of the program. */
  int end() throws InterruptedException {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return process.waitFor();
  }

  void kill() throws InterruptedException {
    process.destroyForcibly();
    int ignored = process.waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
