package io.isle.lib.tango;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Compares the layouts with those of the C compiler, as {@code kabi-layout} prints them. */
class LayoutTest {
  private static final Map<String, String> COMPILER = new HashMap<>();

  @BeforeAll
  static void ask() throws IOException {
    Process process =
        new ProcessBuilder(System.getProperty("isle.native") + "/kabi-layout").start();
    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
        .lines()
        .map(line -> line.split(" ", 2))
        .forEach(words -> COMPILER.put(words[0], words[1]));
  }

  /** All long constants are offsets, and C prints no other fields. */
  private static void check(String struct, Class<?> constants, int bytes)
      throws IllegalAccessException {
    assertEquals(COMPILER.get(struct), Integer.toString(bytes), struct);
    int count = 0;
    for (Field field : constants.getDeclaredFields()) {
      if (field.getType() == long.class && Modifier.isPublic(field.getModifiers())) {
        String name = struct + "." + field.getName().toLowerCase(Locale.ROOT);
        assertTrue(COMPILER.containsKey(name), name);
        assertEquals(COMPILER.get(name).split(" ")[0], Long.toString(field.getLong(null)), name);
        count++;
      }
    }
    assertEquals(
        COMPILER.keySet().stream().filter(key -> key.startsWith(struct + ".")).count(), count);
  }

  @Test
  void offsetsAndSizesAreTheCompilers() throws IllegalAccessException {
    check("isle_frag_meta", TangoLayout.FragMeta.class, TangoLayout.FragMeta.LINE_BYTES);
    check("isle_mcache", TangoLayout.McacheHead.class, TangoLayout.McacheHead.HEAD_BYTES);
    check("isle_dcache", TangoLayout.DcacheHead.class, TangoLayout.DcacheHead.HEAD_BYTES);
    check("isle_fseq", TangoLayout.FseqBlock.class, TangoLayout.FseqBlock.BLOCK_BYTES);
  }
}
