package io.isle.core.drivers.javacode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.core.drivers.nativecode.FakeAttachment;
import java.lang.foreign.MemorySegment;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** Memory that the core gives to a Java driver. */
class JavaServicesTest {
  @Test
  void itIsNoDirectMemoryAndGoesWhenItIsGivenBack() {
    try (FakeAttachment attachment = new FakeAttachment()) {
      JavaServices services = new JavaServices("sim0", attachment, why -> {});
      long before = direct();
      MemorySegment first = services.allocShared(1, 64L << 20, 1 << 21);
      MemorySegment second = services.allocShared(1, 4096, 64);
      assertEquals(0, first.address() % (1 << 21));
      long more = direct() - before;
      assertTrue(more < 1 << 20, "direct memory more: " + more);
      services.freeShared(first);
      assertFalse(first.scope().isAlive());
      services.freeAll(1);
      assertFalse(second.scope().isAlive());
      DriverException refused =
          assertThrows(DriverException.class, () -> services.allocShared(1, 1L << 60, 64));
      assertEquals(Errno.ENOMEM, refused.code());
      MemorySegment last = services.allocShared(2, 1, 1);
      services.close();
      assertFalse(last.scope().isAlive());
    }
  }

  private static long direct() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }
}
