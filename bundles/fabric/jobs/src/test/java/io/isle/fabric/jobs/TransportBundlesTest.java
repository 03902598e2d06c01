package io.isle.fabric.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.fabric.RingException;
import java.util.List;
import org.junit.jupiter.api.Test;

class TransportBundlesTest {
  private final FakeBundles framework = new FakeBundles();

  @Test
  void anUpdateEndsWhenTheTransportIsBack() throws Exception {
    framework.absent = 2;
    framework.bundles().update("tcp");
    assertEquals(List.of("fake.tcp"), framework.updates);
    assertTrue(framework.absent < 0);
  }

  @Test
  void aTransportThatIsNotInstalledIsNamed() {
    RingException refused =
        assertThrows(RingException.class, () -> framework.bundles().update("rdma"));
    assertEquals(Errno.ENOENT, refused.code());
    assertEquals("transport 'rdma' is not installed", refused.getMessage());
    assertEquals(List.of(), framework.updates);
  }

  @Test
  void anUpdateThatFailsNamesTheBundle() {
    framework.fails = true;
    RingException failed =
        assertThrows(RingException.class, () -> framework.bundles().update("tcp"));
    assertEquals(Errno.EIO, failed.code());
    assertTrue(
        failed.getMessage().startsWith("the bundle fake.tcp cannot be updated: "),
        failed.getMessage());
  }
}
