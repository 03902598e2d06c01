package io.isle.core.drivers.nativecode.shim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.DriverException;
import io.isle.core.drivers.nativecode.SoftDevice;
import io.isle.lib.shm.Channel;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Libraries that do not let go of whoever loads or unloads them, and what is left of them. */
class ShimLaneTest {
  private static final Path SHIM = SoftDevice.NATIVE.resolve("libisle_shim.so");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Channel channel = Channel.create(64, 1, 0);

  private ShimLane load(Path shim, String library) {
    return new ShimLane(shim, SoftDevice.NATIVE.resolve(library), channel, "test");
  }

  private boolean memoryIsThere() {
    return channel.memory().scope().isAlive();
  }

  @Test
  void aLibraryThatIsUnloadedLeavesNothing() {
    ShimLane lane = load(SHIM, "libsoftaccel.so");
    assertTrue(memoryIsThere());
    lane.close();
    assertFalse(memoryIsThere());
  }

  @Test
  void aLibraryThatDoesNotLetItselfBeUnloadedStaysAndHoldsNobodyUp() {
    ShimLane lane = load(SHIM, "libstuck_fini.so");
    assertTimeoutPreemptively(PATIENCE, lane::close);
    assertFalse(lane.alive());
    assertTrue(memoryIsThere(), "it may still use it");
  }

  @Test
  void aLibraryThatDoesNotFinishLoadingIsRefusedAndStays() {
    DriverException refused =
        assertTimeoutPreemptively(
            PATIENCE,
            () -> assertThrows(DriverException.class, () -> load(SHIM, "libstuck_init.so")));
    assertEquals(Errno.ETIMEDOUT, refused.code());
    assertTrue(memoryIsThere(), "it may still use it");
  }

  @Test
  void ofARuntimeWithoutItsFunctionsNothingIsLeft() {
    DriverException refused =
        assertThrows(
            DriverException.class,
            () -> load(SoftDevice.NATIVE.resolve("libunopenable.so"), "libsoftaccel.so"));
    assertEquals(Errno.ENOENT, refused.code());
    assertFalse(memoryIsThere());
  }

  @Test
  void onlyADriverThatHangsIsSaidToStay() {
    ShimLane lane = load(SHIM, "libsoftaccel.so");
    lane.abandon(new RecoveryCause(RecoveryCause.Kind.PROTOCOL, "nonsense"));
    assertEquals("nonsense", lane.cause().text());
    lane.close();
    assertFalse(memoryIsThere());
  }
}
