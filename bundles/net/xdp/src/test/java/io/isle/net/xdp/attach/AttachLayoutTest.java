package io.isle.net.xdp.attach;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares messages with those of the C compiler, as {@code kabi-layout} prints them. */
class AttachLayoutTest {
  private static final Map<String, String> COMPILER = new HashMap<>();

  @BeforeAll
  static void ask() throws IOException {
    Process process =
        new ProcessBuilder(System.getProperty("isle.native") + "/kabi-layout").start();
    String all = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    for (String line : all.lines().filter(one -> one.startsWith("isle_net_")).toList()) {
      int space = line.indexOf(' ');
      COMPILER.put(line.substring(0, space), line.substring(space + 1));
    }
  }

  @ParameterizedTest
  @CsvSource({"isle_net_request,Request,5", "isle_net_reply,Reply,17", "isle_net_rx,Rx,8"})
  void offsetsAreTheCompilers(String struct, String name, int fields)
      throws ReflectiveOperationException {
    Class<?> constants = Class.forName(AttachLayout.class.getName() + "$" + name);
    Map<String, String> ours = new HashMap<>();
    for (Field field : constants.getDeclaredFields()) {
      if (field.getType() == long.class) {
        ours.put(field.getName().toLowerCase(Locale.ROOT), Long.toString(field.getLong(null)));
      } else if (field.getName().equals("SIZE")) {
        assertEquals(COMPILER.get(struct), Integer.toString(field.getInt(null)), struct);
      }
    }
    Map<String, String> theirs = new HashMap<>();
    COMPILER.forEach(
        (key, value) -> {
          if (key.startsWith(struct + ".")) {
            theirs.put(key.substring(struct.length() + 1), value.split(" ")[0]);
          }
        });
    assertEquals(fields, theirs.size());
    assertEquals(theirs, ours);
  }

  @ParameterizedTest
  @CsvSource({"isle_net_request.app,32", "isle_net_reply.reason,152", "isle_net_reply.ports,32"})
  void arraysHaveTheSizesThatOffsetsLeave(String field, int bytes) {
    assertEquals(Integer.toString(bytes), COMPILER.get(field).split(" ")[1]);
  }
}
