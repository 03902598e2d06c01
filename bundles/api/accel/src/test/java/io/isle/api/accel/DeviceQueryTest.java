package io.isle.api.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DeviceQueryTest {
  @Test
  void conditionsAddUp() {
    DeviceQuery query = DeviceQuery.taking(ProgramKind.SPIRV, ProgramKind.PTX).withMemory(7);
    assertEquals(Set.of(ProgramKind.SPIRV, ProgramKind.PTX), query.kinds());
    assertEquals(7, query.minMemoryBytes());
  }

  @Test
  void lessThanNoMemoryIsRefused() {
    AccelException refusal =
        assertThrows(AccelException.class, () -> DeviceQuery.ANY.withMemory(-1));
    assertEquals(Errno.EINVAL, refusal.code());
    assertTrue(refusal.getMessage().contains("minMemoryBytes: -1"), refusal.getMessage());
  }
}
