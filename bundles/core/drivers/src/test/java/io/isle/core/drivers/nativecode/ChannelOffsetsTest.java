package io.isle.core.drivers.nativecode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.lib.shm.ChannelLayout;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Compares the layout of a channel with the C compiler's, as {@code kabi-layout} prints it. */
class ChannelOffsetsTest {
  private static final Map<String, String> COMPILER = new HashMap<>();

  @BeforeAll
  static void ask() throws IOException {
    Process process =
        new ProcessBuilder(System.getProperty("isle.native") + "/kabi-layout").start();
    for (String line :
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .toList()) {
      int space = line.indexOf(' ');
      COMPILER.put(line.substring(0, space), line.substring(space + 1));
    }
  }

  /** Constants of type long are offsets, but for the magic value. */
  private static void check(String struct, Class<?> constants) throws IllegalAccessException {
    for (Field field : constants.getDeclaredFields()) {
      if (field.getType() != long.class
          || !Modifier.isPublic(field.getModifiers())
          || field.getName().equals("MAGIC_VALUE")) {
        continue;
      }
      String name = struct + "." + field.getName().toLowerCase(Locale.ROOT);
      assertTrue(COMPILER.containsKey(name), "no field " + name);
      assertEquals(COMPILER.get(name).split(" ")[0], Long.toString(field.getLong(null)), name);
    }
  }

  @Test
  void offsetsAreTheCompilers() throws IllegalAccessException {
    check("isle_channel_header", ChannelLayout.class);
    check("isle_request", ChannelLayout.Request.class);
    check("isle_completion_slot", ChannelLayout.Completion.class);
    check("isle_started", ChannelLayout.Started.class);
    check("isle_log_line", ChannelLayout.LogLine.class);
    check("isle_doorbell", ChannelLayout.Bell.class);
    check("isle_agent", ChannelLayout.AgentPage.class);
  }

  @Test
  void sizesAreTheCompilers() {
    assertEquals(COMPILER.get("isle_request"), Integer.toString(ChannelLayout.SLOT_BYTES));
    assertEquals(COMPILER.get("isle_completion_slot"), Integer.toString(ChannelLayout.SLOT_BYTES));
    assertEquals(COMPILER.get("isle_started"), Integer.toString(ChannelLayout.STARTED_BYTES));
    assertEquals(COMPILER.get("isle_log_line"), Integer.toString(ChannelLayout.LOG_BYTES));
    assertEquals(
        ChannelLayout.LOG_BYTES, (int) ChannelLayout.LogLine.TEXT + ChannelLayout.LOG_TEXT);
  }
}
