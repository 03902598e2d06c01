package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The one started instance that the integration tests of a JVM use, and the launcher as a user
 * calls it. Started before the first class that uses it, stopped when the JVM ends; each class
 * leaves it as it was.
 */
public final class Platform implements BeforeAllCallback, AfterAllCallback {
  private static final Path ROOT = Path.of(System.getProperty("isle.root")).normalize();
  static final Path STATE = Path.of(System.getProperty("isle.state"));
  static final String INSTANCE = "itests";
  private static final ObjectMapper JSON = new ObjectMapper();

  /** What a call of the launcher left. */
  record Result(int code, String out, String err) {
    Result succeeded() {
      assertEquals(0, code, () -> "exit code; standard error says: " + err);
      return this;
    }

    Result failed(int expected) {
      assertEquals(expected, code, () -> "exit code; standard error says: " + err);
      return this;
    }

    void saysNothing() {
      assertEquals("", out + err);
      assertEquals(0, code);
    }

    JsonNode json() throws IOException {
      return JSON.readTree(out);
    }
  }

  /** How the instance was when it had just started; null before. */
  private static InstanceState fresh;

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    if (fresh == null) {
      isle("stop").succeeded();
      forget(folder());
      isle("start").succeeded();
      Runtime.getRuntime().addShutdownHook(new Thread(Platform::stop));
      fresh = InstanceState.now();
    }
  }

  @Override
  public void afterAll(ExtensionContext context) throws InterruptedException {
    Awaiting.await(
        "the instance is as it was",
        () -> {
          assertEquals(List.of(), InstanceState.now().differences(fresh));
          return true;
        });
  }

  /** A JVM that ends with a code is a failure of the build. */
  private static void stop() {
    Result stopped = isle("stop");
    if (stopped.code() != 0) {
      System.err.println(stopped);
      Runtime.getRuntime().halt(1);
    }
  }

  /** Calls {@code ./isle} with these arguments on the shared instance. */
  static Result isle(String... arguments) {
    return begin(arguments).end();
  }

  /** The same, without waiting for its end. */
  static Call begin(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--instance", INSTANCE));
    return Call.isle(Map.of(), all);
  }

  /**
   * Runs one shell command on the shared instance, as the launcher has it run, but without the
   * launcher: for classes that call a hundred times.
   */
  static Result client(String... words) {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("isle.dist") + "/lib/isle/bin/isle-client");
    command.addAll(List.of("--dir", folder().toString(), "--as", "admin", "--words"));
    command.addAll(List.of(words));
    return Call.begin(STATE.getParent(), Map.of(), command).end();
  }

  /** Runs shell commands on the shared instance. */
  static Result sh(String line, String... options) {
    List<String> arguments = new ArrayList<>(List.of("sh", line));
    arguments.addAll(List.of(options));
    return isle(arguments.toArray(String[]::new));
  }

  /** The instance's folder. */
  static Path folder() {
    return STATE.resolve("instances").resolve(INSTANCE);
  }

  /** What an earlier run set must not count in this one. */
  private static void forget(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The repository. */
  static Path root() {
    return ROOT;
  }
}
