package io.isle.core.drivers.nativecode.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class HeapsTest {
  private final Heaps heaps = new Heaps();

  /** A call of a tenant can come late: the context is not unknown, its device has gone. */
  @Test
  void afterTheEndThereIsNoDevice() {
    MemorySegment memory = heaps.create(1, 4096).memory();
    assertEquals(Errno.ENOENT, code(() -> heaps.of(2)));
    heaps.close();
    assertFalse(memory.scope().isAlive());
    assertEquals(Errno.ENODEV, code(() -> heaps.of(1)));
    assertEquals(Errno.ENODEV, code(() -> heaps.create(1, 4096)));
    heaps.close();
  }

  private static int code(Executable call) {
    return assertThrows(DriverException.class, call).code();
  }
}
