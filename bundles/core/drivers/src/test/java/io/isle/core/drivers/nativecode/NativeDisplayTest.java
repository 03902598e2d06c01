package io.isle.core.drivers.nativecode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.device.DisplayConnector;
import io.isle.api.device.DisplayMode;
import io.isle.api.device.DpmsState;
import io.isle.api.device.PixelFormat;
import io.isle.api.device.ScanoutStatus;
import io.isle.api.driver.AllocArgs;
import io.isle.api.driver.Display;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.FaultInjection;
import io.isle.api.driver.FaultInjection.Fault;
import io.isle.api.driver.Scanout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The display in software through the core's lanes. */
@Timeout(60)
class NativeDisplayTest {
  private static final long MEMORY = Ids.of(Ids.MEMORY, 1, 0);
  private static final long FRAME = Ids.of(Ids.FRAMEBUFFER, 1, 0);
  private static final ValueLayout.OfInt PIXEL =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static SoftDevice open(int tier) {
    SoftDevice opened =
        new SoftDevice(
            SoftDevice.NATIVE.resolve("libtestdisplay.so"),
            tier,
            Map.of(
                "screens",
                "displayport:vrr_1440p,-vga:svga",
                "compute_units",
                "1",
                "fault_injection",
                "true"));
    opened.context(0);
    return opened;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void everyEntryIsReached(int tier) {
    try (SoftDevice opened = open(tier)) {
      Display display = opened.device.extension(Display.class).orElseThrow();
      Scanout scanout = opened.device.extension(Scanout.class).orElseThrow();
      assertTrue(opened.opened.services().contains("accel-display"));
      assertEquals(
          new DisplayConnector(1, DisplayConnector.Type.DISPLAYPORT, 2560, 1440, true, false),
          display.connectors().getFirst());
      List<DisplayMode> modes = display.modes(1);
      assertEquals("2560x1440@144.000", modes.getFirst().text());
      assertEquals(List.of(), display.modes(2));
      assertEquals(128, display.edid(1).length);
      assertFalse(display.connected(2));
      DisplayMode vga = modes.getLast();
      display.setMode(1, vga);
      MemorySegment pixels = allocate(opened, vga);
      pixels.fill((byte) 0x55);
      display.createFramebuffer(FRAME, MEMORY, vga.width(), vga.height(), PixelFormat.XRGB8888);
      assertEquals(1, display.flip(1, FRAME));
      ScanoutStatus status = scanout.status(1);
      while (status.point() < 1) {
        status = scanout.status(1);
      }
      assertTrue(status.flipNs() <= System.nanoTime() && status.nextNs() > status.frameNs());
      assertEquals(vga, status.mode().orElseThrow());
      display.setCursor(1, 1, 1, 639, 479, new int[] {0xff123456});
      Scanout.Lines last = scanout.read(1, 470, 100);
      assertEquals(10, last.count());
      assertEquals(0x123456, last.pixels().get(PIXEL, last.pixels().byteSize() - 4));
      assertEquals(0x555555, last.pixels().get(PIXEL, 0));
      display.hideCursor(1);
      display.setVariableRefresh(1, true);
      assertTrue(scanout.status(1).vrr());
      display.setDpms(1, DpmsState.SUSPEND);
      assertEquals(DpmsState.SUSPEND, scanout.status(1).dpms());
      opened.device.extension(FaultInjection.class).orElseThrow().inject(Fault.HOTPLUG, 0, 1, 1);
      assertEquals(1, scanout.status(1).hotplugs());
      assertTrue(scanout.status(1).mode().isEmpty());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void refusalsKeepTheirCodes(int tier) {
    try (SoftDevice opened = open(tier)) {
      Display display = opened.device.extension(Display.class).orElseThrow();
      DisplayMode vga = display.modes(1).getLast();
      MemorySegment pixels = allocate(opened, vga);
      assertEquals(4L * 640 * 480, pixels.byteSize());
      code(Errno.ENOENT, () -> display.modes(3));
      code(Errno.ENXIO, () -> display.edid(2));
      code(Errno.ENXIO, () -> display.setMode(2, vga));
      code(
          Errno.EINVAL,
          () -> display.createFramebuffer(FRAME, MEMORY, 641, 480, PixelFormat.XRGB8888));
      code(
          Errno.ESTALE,
          () -> display.createFramebuffer(FRAME, MEMORY + 1, 1, 1, PixelFormat.XRGB8888));
      code(Errno.ESTALE, () -> display.flip(1, FRAME));
      code(Errno.EINVAL, () -> display.setCursor(1, 65, 1, 0, 0, new int[65]));
      code(Errno.EINVAL, () -> display.setVariableRefresh(1, true));
      display.createFramebuffer(FRAME, MEMORY, 640, 480, PixelFormat.XRGB8888);
      code(Errno.EINVAL, () -> display.flip(1, FRAME));
      display.setMode(1, vga);
      display.setDpms(1, DpmsState.OFF);
      code(Errno.EPERM, () -> display.flip(1, FRAME));
    }
  }

  private static MemorySegment allocate(SoftDevice opened, DisplayMode mode) {
    long bytes = 4L * mode.width() * mode.height();
    AllocArgs args = new AllocArgs(bytes, 4096, AllocArgs.PageSize.STANDARD, AllocArgs.CPU_VISIBLE);
    return opened
        .device
        .allocate(SoftDevice.CONTEXT, MEMORY, args)
        .cpu()
        .orElseThrow()
        .asSlice(0, bytes);
  }

  private static void code(int code, Runnable call) {
    DriverException thrown = assertThrows(DriverException.class, call::run);
    assertEquals(Errno.name(code), Errno.name(thrown.code()), thrown.getMessage());
  }
}
