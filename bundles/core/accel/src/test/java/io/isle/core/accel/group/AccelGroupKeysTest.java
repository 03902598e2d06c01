package io.isle.core.accel.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.device.Priority;
import io.isle.api.tenancy.GroupKey;
import io.isle.api.tenancy.TenancyException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class AccelGroupKeysTest {
  @Test
  void devicesAreListedOrAll() {
    assertEquals(Optional.empty(), AccelGroupKeys.devices("all"));
    assertEquals(Optional.of(Set.of()), AccelGroupKeys.devices(""));
    assertEquals(
        Optional.of(Set.of("soft0", "opencl12")), AccelGroupKeys.devices("soft0  opencl12"));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "8589934592, 8589934592",
    "4096K, 4194304",
    "3m, 3145728",
    "8G, 8589934592",
    "1t, 1099511627776",
    "32 MiB, 33554432",
    "32gib, 34359738368",
    "9223372036854775807, 9223372036854775807",
    "max, 9223372036854775807"
  })
  void memoryIsBytesWithASuffix(String text, long bytes) {
    assertEquals(bytes, AccelGroupKeys.memoryMax(text));
  }

  @Test
  void bandwidthIsAQuotaOfAPeriod() {
    assertEquals(
        Map.of("soft0", new Bandwidth(500_000, 1_000_000), "sim1", new Bandwidth(1000, 1000)),
        AccelGroupKeys.computeGuarantee("soft0 500000 1000000, sim1 1000 1000"));
    assertEquals(
        Map.of("soft0", new Bandwidth(1000, 1_000_000)),
        AccelGroupKeys.computeGuarantee("soft0 1000"));
    assertEquals(Map.of(), AccelGroupKeys.computeGuarantee(""));
    assertEquals(
        Map.of("soft0", new Bandwidth(10_000_000, 10_000_000)),
        AccelGroupKeys.computeMax("soft0 10000000 10000000,sim0 max,sim1 max 100000"));
    assertEquals(Map.of(), AccelGroupKeys.computeMax("max"));
  }

  @ParameterizedTest
  @EnumSource
  void aPriorityIsItsName(Priority priority) {
    assertEquals(priority, AccelGroupKeys.priority(priority.name().toLowerCase(Locale.ROOT)));
    String said = refused(Errno.EINVAL, "priority=urgent").getMessage();
    assertTrue(said.contains(priority.text()), said);
  }

  @Test
  void weightsAreNumbers() {
    assertEquals(1, AccelGroupKeys.weight("1"));
    assertEquals(10_000, AccelGroupKeys.weight("10000"));
  }

  /** Every default but the one of a list of devices is itself a value. */
  @Test
  void defaultsAreGood() {
    for (GroupKey key : AccelGroupKeys.KEYS) {
      read(key.key(), key.defaultValue());
    }
  }

  private static Object read(String key, String text) {
    return switch (key) {
      case "devices" -> AccelGroupKeys.devices(text);
      case "memory.max" -> AccelGroupKeys.memoryMax(text);
      case "priority" -> AccelGroupKeys.priority(text);
      case "compute.guarantee" -> AccelGroupKeys.computeGuarantee(text);
      case "compute.max" -> AccelGroupKeys.computeMax(text);
      case "compute.weight" -> AccelGroupKeys.weight(text);
      default -> throw new AssertionError(key);
    };
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "devices=soft",
        "devices=soft0,soft1",
        "devices=soft0 soft0",
        "devices=Soft0",
        "devices=0",
        "memory.max=",
        "memory.max=much",
        "memory.max=-1",
        "memory.max=1kb",
        "memory.max=1.5g",
        "priority=",
        "priority=High",
        "compute.guarantee=soft0",
        "compute.guarantee=soft0 max",
        "compute.guarantee=soft0 1000 1000 1000",
        "compute.guarantee=soft0 1000,",
        "compute.guarantee=soft0 -1000",
        "compute.guarantee=soft0 1000 1e6",
        "compute.guarantee=soft0 1000, soft0 2000",
        "compute.guarantee=500000 1000000",
        "compute.max=",
        "compute.max=soft0 max, soft0 1000",
        "compute.max=soft0 1000, soft0 max",
        "compute.max=soft0 half",
        "compute.weight=",
        "compute.weight=+1",
        "compute.weight=1.0"
      })
  void whatIsMalformedIsInvalid(String setting) {
    refused(Errno.EINVAL, setting);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "memory.max=8388608t",
        "memory.max=9223372036854775808",
        "compute.guarantee=soft0 999 1000000",
        "compute.guarantee=soft0 1000001 1000000",
        "compute.guarantee=soft0 999 999",
        "compute.guarantee=soft0 1000 10000001",
        "compute.max=soft0 0 1000000",
        "compute.max=soft0 max 999",
        "compute.max=soft0 2000000",
        "compute.weight=0",
        "compute.weight=10001",
        "compute.weight=999999999999999999"
      })
  void whatIsOutOfRangeNamesTheLimit(String setting) {
    TenancyException thrown = refused(Errno.ERANGE, setting);
    assertTrue(thrown.getMessage().contains(" is not "), thrown.getMessage());
  }

  private static TenancyException refused(int code, String setting) {
    String[] parts = setting.split("=", 2);
    TenancyException thrown =
        assertThrows(TenancyException.class, () -> read(parts[0], parts[1]), setting);
    assertEquals(code, thrown.code(), thrown.getMessage());
    return thrown;
  }
}
