package io.isle.lib.kabi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares every size and offset with those of the C compiler, as {@code kabi-layout} prints them.
 */
class CompilerLayoutTest {
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
    assertTrue(COMPILER.size() > 100, "kabi-layout printed " + COMPILER.size() + " lines");
  }

  static Stream<CStruct> structs() {
    return Stream.of(KabiStructs.all(), WireStructs.all(), DisplayStructs.all(), SpinStructs.all())
        .flatMap(List::stream);
  }

  @ParameterizedTest
  @MethodSource("structs")
  void sizesAndOffsetsAreTheCompilers(CStruct struct) {
    assertEquals(COMPILER.get(struct.name()), Long.toString(struct.size()), struct.name());
    for (CStruct.Field field : struct.fields()) {
      String name = struct.name() + "." + field.name();
      assertEquals(COMPILER.get(name), field.offset() + " " + field.size(), name);
    }
    long known =
        COMPILER.keySet().stream().filter(key -> key.startsWith(struct.name() + ".")).count();
    assertEquals(known, struct.fields().size(), struct.name() + " has fields that Java lacks");
  }

  @Test
  void envelopeOffsetsAreTheCompilers() throws IllegalAccessException {
    check("isle_command", CommandEnvelope.class, Map.of());
    check("isle_binding", CommandEnvelope.Binding.class, Map.of());
    check("isle_wait", CommandEnvelope.Wait.class, Map.of());
    check("isle_op", CommandOp.class, Map.of());
    check("isle_op_copy", CommandOp.Copy.class, Map.of("COUNT", "bytes"));
    check("isle_op_fill", CommandOp.Fill.class, Map.of("COUNT", "bytes"));
    check("isle_op_dispatch", CommandOp.Dispatch.class, Map.of());
    check("isle_op_launch", CommandOp.Launch.class, Map.of());
    check("isle_arg", CommandOp.Arg.class, Map.of());
  }

  /** Constants of type long are offsets. */
  private static void check(String struct, Class<?> constants, Map<String, String> renamed)
      throws IllegalAccessException {
    for (Field field : constants.getDeclaredFields()) {
      if (field.getType() == long.class && Modifier.isStatic(field.getModifiers())) {
        String name =
            renamed.getOrDefault(field.getName(), field.getName().toLowerCase(Locale.ROOT));
        String known = COMPILER.get(struct + "." + name);
        assertTrue(known != null, struct + " has no field " + name);
        assertEquals(known.split(" ")[0], Long.toString(field.getLong(null)), struct + "." + name);
      }
    }
  }
}
