package io.isle.fabric.ring.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.fabric.RingRole;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A node of a ring in C, which ends with a sentence when its neighbours send one byte or datagram
 * that the protocol does not have.
 */
final class ForeignPeer implements AutoCloseable {
  private static final Path PROGRAM = Path.of(System.getProperty("isle.native"), "leap-peer");
  private static final int BROKEN = 3;

  private final Process process;
  private final Writer commands;
  private final BufferedReader replies;

  /**
   * @param start first layer of a worker; of all workers for a master
   */
  ForeignPeer(
      RingRole role,
      String transport,
      int listen,
      int next,
      int dim,
      int layers,
      int start,
      int end) {
    try {
      process =
          new ProcessBuilder(
                  PROGRAM.toString(),
                  role.text(),
                  transport,
                  "127.0.0.1:" + listen,
                  "127.0.0.1:" + next,
                  Integer.toString(dim),
                  Integer.toString(layers),
                  Integer.toString(start),
                  Integer.toString(end))
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    commands = process.outputWriter(StandardCharsets.UTF_8);
    replies = process.inputReader(StandardCharsets.UTF_8);
  }

  /** Gives a master a command, and waits for its reply. */
  void command(String command, String reply) {
    try {
      commands.write(command + "\n");
      commands.flush();
      String line = replies.readLine();
      assertEquals(reply, line == null ? complaint() : line, command);
    } catch (IOException e) {
      throw new UncheckedIOException(complaint(), e);
    }
  }

  private String complaint() {
    try {
      return new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Asserts that the neighbours have kept the protocol until now. */
  void assertContent() {
    if (!process.isAlive() && process.exitValue() == BROKEN) {
      throw new AssertionError(complaint());
    }
    assertTrue(process.isAlive() || process.exitValue() == 0, "the program has crashed");
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      assertTrue(process.waitFor(10, TimeUnit.SECONDS), "the program ends");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
