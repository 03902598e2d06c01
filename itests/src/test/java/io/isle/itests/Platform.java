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
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * The one started instance that all integration tests use, and the launcher as a user calls it.
 * Started before the first class, stopped after the last.
 */
public final class Platform implements BeforeAllCallback {
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

  @Override
  public void beforeAll(ExtensionContext context) {
    context
        .getRoot()
        .getStore(Namespace.create(Platform.class))
        .getOrComputeIfAbsent(Started.class, key -> new Started(), Started.class);
  }

  /** Ends the instance with the test run. */
  private static final class Started implements AutoCloseable {
    Started() {
      isle("stop").succeeded();
      forget(folder());
      isle("start").succeeded();
    }

    @Override
    public void close() {
      isle("stop").succeeded();
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
