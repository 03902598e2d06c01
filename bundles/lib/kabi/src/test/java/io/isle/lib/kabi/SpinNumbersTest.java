package io.isle.lib.kabi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The numbers of isle_spin.h are those of Java. */
class SpinNumbersTest {
  private static final Path HEADER =
      Path.of("..", "..", "..", "native-shims", "include", "isle_spin.h");
  private static final Pattern NUMBER =
      Pattern.compile("ISLE_SPIN_([A-Z_]+)(?: | = )(0x[0-9a-f]+|[0-9]+)u?l*\\b");

  @Test
  void constantsAreTheHeaders() throws IOException, IllegalAccessException {
    Map<String, Long> header = new TreeMap<>();
    NUMBER
        .matcher(Files.readString(HEADER))
        .results()
        .forEach(found -> header.put(found.group(1), Long.decode(found.group(2))));
    Map<String, Long> java = new TreeMap<>();
    for (Field field : SpinStructs.class.getDeclaredFields()) {
      if (field.getType().isPrimitive()) {
        String name = field.getName().replaceAll("^(HANDLER|RESULT|STATE|CAUSE)_", "");
        java.put(name, ((Number) field.get(null)).longValue());
      }
    }
    assertEquals(header, java);
  }
}
