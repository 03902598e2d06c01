package io.isle.core.devices;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;

/**
 * What is written is what is read, by us and by whoever reads properties; a bad value is refused.
 */
class EtcConfigFilesPropertyTest {
  private static final String PID = "io.isle.device-soft0";

  private Path etc;
  private EtcConfigFiles files;
  private Map<String, String> wanted;

  @BeforeProperty
  void make() throws IOException {
    etc = Files.createTempDirectory("isle-etc");
    files = new EtcConfigFiles(etc, new FakeConfigAdmin());
    wanted = new HashMap<>();
  }

  @AfterProperty
  void remove() throws IOException {
    try (Stream<Path> left = Files.list(etc)) {
      for (Path path : left.toList()) {
        Files.delete(path);
      }
    }
    Files.delete(etc);
  }

  @Provide
  Arbitrary<String> keys() {
    return Arbitraries.of("a", "b.c", "tier", "memory_bytes", "a b", "", "=", "#x", "a\n");
  }

  @Provide
  Arbitrary<String> values() {
    return Arbitraries.oneOf(
        Arbitraries.strings().ofMaxLength(20),
        Arbitraries.strings().withChars("\\\t\n =:#!\"'{}[]$ü€T").ofMaxLength(12));
  }

  @Property(tries = 3000)
  void whatIsWrittenIsRead(@ForAll("keys") String key, @ForAll("values") String value)
      throws IOException {
    try {
      files.set(PID, Map.of(key, value));
      wanted.put(key, value);
    } catch (IllegalArgumentException refused) {
      assertEquals(true, refused.getMessage().length() < 300);
    }
    assertEquals(wanted, files.read(PID).orElse(Map.of()));
    java.util.Properties plain = new java.util.Properties();
    if (!wanted.isEmpty()) {
      plain.load(Files.newBufferedReader(etc.resolve(PID + ".cfg"), StandardCharsets.UTF_8));
    }
    assertEquals(wanted, plain);
    try (Stream<Path> left = Files.list(etc)) {
      assertEquals(wanted.isEmpty() ? 0 : 1, left.count());
    }
  }

  @Property(tries = 500)
  void anyFileIsReadOrRefused(@ForAll List<Byte> bytes) throws IOException {
    byte[] raw = new byte[bytes.size()];
    for (int i = 0; i < raw.length; i++) {
      raw[i] = bytes.get(i);
    }
    Files.write(etc.resolve(PID + ".cfg"), raw);
    try {
      files.read(PID).orElseThrow().forEach((key, value) -> assertEquals(false, value == null));
    } catch (java.io.UncheckedIOException | IllegalArgumentException refused) {
      assertEquals(false, refused.getMessage() == null);
    }
  }
}
