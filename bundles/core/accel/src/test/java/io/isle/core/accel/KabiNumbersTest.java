package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.CompletionStatus;
import io.isle.api.accel.FenceType;
import io.isle.api.accel.ProgramKind;
import io.isle.api.base.Setting;
import io.isle.api.device.DeviceClass;
import io.isle.api.device.DisplayConnector;
import io.isle.api.device.DpmsState;
import io.isle.api.device.Priority;
import io.isle.api.driver.AllocArgs;
import io.isle.api.driver.ArgumentKind;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.FaultInjection;
import io.isle.api.driver.PerformanceLevel;
import io.isle.api.driver.PowerControl;
import io.isle.api.driver.PreemptReason;
import io.isle.api.driver.ProgramEntry;
import io.isle.api.driver.Programs;
import io.isle.lib.kabi.CommandOp;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every enumeration of the driver ABI has the same names and numbers in Java. */
class KabiNumbersTest {
  private static final Path HEADER =
      Path.of("..", "..", "..", "native-shims", "include", "isle_kabi.h");
  private static final Pattern ENUM = Pattern.compile("enum \\{([^}]*)\\}");
  private static final Pattern VALUE = Pattern.compile("([A-Z][A-Z0-9_]*)\\s*=\\s*([0-9]+)");

  /** Levels of a driver's log are words in Java; the core never has faults handled by drivers. */
  private static final List<String> ONLY_IN_C = List.of("ISLE_LOG_", "FAULT_");

  /** A Java type, and the start of the names of its twin's values. */
  private record Twin(String prefix, Class<?> type, Map<String, Long> values) {
    @Override
    public String toString() {
      return prefix + " " + type.getSimpleName();
    }
  }

  private static <E extends Enum<E>> Twin of(
      String prefix, Class<E> type, ToLongFunction<E> number) {
    Map<String, Long> values = new TreeMap<>();
    for (E value : type.getEnumConstants()) {
      values.put(value.name(), number.applyAsLong(value));
    }
    return new Twin(prefix, type, values);
  }

  /** Kinds of arguments, of which the header has two enumerations. */
  private static Twin some(String prefix, ArgumentKind[] kinds, Predicate<ArgumentKind> which) {
    Map<String, Long> values = new TreeMap<>();
    for (ArgumentKind kind : kinds) {
      if (which.test(kind)) {
        values.put(kind.name(), (long) kind.code());
      }
    }
    return new Twin(prefix, ArgumentKind.class, values);
  }

  /** Constants of a type that are of another one. */
  private static Twin constants(String prefix, Class<?> type, Class<?> of) {
    Map<String, Long> values = new TreeMap<>();
    for (Field field : type.getDeclaredFields()) {
      if (field.getType() == of) {
        try {
          values.put(field.getName(), ((Number) field.get(null)).longValue());
        } catch (IllegalAccessException e) {
          throw new AssertionError(e);
        }
      }
    }
    return new Twin(prefix, type, values);
  }

  static List<Twin> twins() {
    return List.of(
        of("ACCEL_CLASS_", DeviceClass.class, DeviceClass::code),
        of("PREEMPTION_", DeviceInfo.Preemption.class, Enum::ordinal),
        constants("PREEMPT_", PreemptReason.class, int.class),
        of("ACCEL_PRIORITY_", Priority.class, Enum::ordinal),
        of("ACCEL_COMPLETION_", CompletionStatus.class, CompletionStatus::code),
        constants("ACCEL_COMPLETION_", CompletionSink.class, int.class),
        of("ACCEL_FENCE_", FenceType.class, Enum::ordinal),
        of("ACCEL_PAGE_", AllocArgs.PageSize.class, Enum::ordinal),
        of("ACCEL_PERF_", PerformanceLevel.class, Enum::ordinal),
        of("ACCEL_POWER_", PowerControl.State.class, PowerControl.State::code),
        of("ACCEL_CONNECTOR_", DisplayConnector.Type.class, Enum::ordinal),
        of("ACCEL_DPMS_", DpmsState.class, Enum::ordinal),
        constants("ISLE_OP_", CommandOp.class, short.class),
        of("ISLE_ARG_", ProgramEntry.Kind.class, kind -> kind.ordinal() + 1),
        new Twin(
            "ISLE_ARG_",
            CommandOp.Arg.class,
            Map.of(
                "LOCAL", (long) CommandOp.Arg.LOCAL, "BYTES", (long) CommandOp.Arg.BYTES_OF_TAIL)),
        some("ISLE_ARG_", ArgumentKind.values(), kind -> kind.code() <= CommandOp.Arg.F64),
        some("ISLE_ARG_", ArgumentKind.values(), kind -> kind.code() > CommandOp.Arg.F64),
        of("ISLE_SETTING_", Setting.Type.class, type -> type.ordinal() + 1),
        of("ISLE_PROGRAM_", Programs.Kind.class, kind -> kind.ordinal() + 1),
        of("ISLE_PROGRAM_", ProgramKind.class, kind -> kind.ordinal() + 1),
        of("ISLE_FAULT_", FaultInjection.Fault.class, fault -> fault.ordinal() + 1));
  }

  /** Enumerations of the header, each with its values. */
  private static List<Map<String, Long>> header() throws IOException {
    String text = Files.readString(HEADER).replaceAll("(?s)/\\*.*?\\*/", "");
    return ENUM.matcher(text)
        .results()
        .map(
            body -> {
              Map<String, Long> values = new TreeMap<>();
              Matcher value = VALUE.matcher(body.group(1));
              for (MatchResult each : value.results().toList()) {
                values.put(each.group(1), Long.parseLong(each.group(2)));
              }
              return values;
            })
        .toList();
  }

  @ParameterizedTest
  @MethodSource("twins")
  void namesAndNumbersAreTheHeaders(Twin twin) throws IOException {
    Map<String, Long> named = new TreeMap<>();
    twin.values().forEach((name, number) -> named.put(twin.prefix() + name, number));
    assertTrue(header().contains(named), () -> named + " is no enumeration of the header");
  }

  @Test
  void kindsOfArgumentsHaveTheSameNamesForTenants() {
    assertEquals(
        Stream.of(ArgumentKind.values()).map(Enum::name).toList(),
        Stream.of(io.isle.api.accel.ArgumentKind.values()).map(Enum::name).toList());
  }

  @Test
  void everyEnumerationOfTheHeaderIsCompared() throws IOException {
    List<Map<String, Long>> all = header();
    assertTrue(all.size() >= 18, "enumerations " + all.size());
    for (Map<String, Long> values : all) {
      String first = new TreeSet<>(values.keySet()).first();
      boolean known =
          twins().stream().anyMatch(twin -> first.startsWith(twin.prefix()))
              || ONLY_IN_C.stream().anyMatch(first::startsWith);
      assertTrue(known, () -> values + " is known to nobody");
      assertEquals(values.size(), new TreeSet<>(values.values()).size(), values::toString);
    }
  }
}
