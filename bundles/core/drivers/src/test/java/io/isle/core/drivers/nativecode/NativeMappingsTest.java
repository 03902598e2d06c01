package io.isle.core.drivers.nativecode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Ids;
import io.isle.api.base.Setting;
import io.isle.api.device.Priority;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.AllocArgs;
import io.isle.api.driver.ContextArgs;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DeviceSeed;
import io.isle.core.drivers.nativecode.control.CoreConnection;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is mapped for a driver goes with it, and not when something is collected. */
@Timeout(120)
class NativeMappingsTest {
  private static final int OPENINGS = 100;

  private final NativeDriver driver =
      NativeDriver.look(
          SoftDevice.RUNTIME, SoftDevice.NATIVE.resolve("libsoftaccel.so"), line -> {});

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aHundredOpeningsLeaveNothing(int tier) throws IOException {
    Map<String, String> settings = new HashMap<>();
    for (Setting setting : driver.info().settings()) {
      settings.put(setting.key(), setting.normalise(setting.defaultValue()));
    }
    DeviceSpec spec =
        new DeviceSpec("soft0", new DeviceSeed("0", "", "test"), tier, true, settings);
    long mappings = mappings();
    long direct = direct();
    for (int i = 0; i < OPENINGS; i++) {
      try (FakeAttachment attachment = new FakeAttachment()) {
        NativeOpened opened = driver.open(spec, i, CoreConnection.of(attachment), cause -> {});
        AccelDevice device = opened.device();
        device.createContext(
            SoftDevice.CONTEXT,
            new ContextArgs(
                (int) ProcessHandle.current().pid(), Priority.NORMAL, 1 << 20, 0, 0, 0));
        assertTrue(
            device
                .allocate(
                    SoftDevice.CONTEXT,
                    Ids.of(Ids.MEMORY, 1, 0),
                    new AllocArgs(4096, 4096, AllocArgs.PageSize.STANDARD, AllocArgs.CPU_VISIBLE))
                .cpu()
                .isPresent());
        assertTrue(mappings() > mappings);
        device.close();
      }
    }
    assertEquals(mappings, mappings());
    long more = direct() - direct;
    assertTrue(more < 1 << 20, "direct memory more: " + more);
  }

  /**
   * A library that cannot be unloaded goes on with what it was given when the attachment is closed.
   */
  @Test
  void aLibraryHasMappingsOfItsOwn() throws IOException {
    long agents = mappings("isle-agent");
    long before = mappings("isle-commands") + agents;
    SoftDevice soft = new SoftDevice(1, Map.of());
    soft.context(0);
    soft.closeAttachment();
    assertEquals(before + 2, mappings("isle-commands") + mappings("isle-agent"));
    assertEquals(agents + 1, mappings("isle-agent"));
    soft.device.close();
    assertEquals(before, mappings("isle-commands") + mappings("isle-agent"));
  }

  private static long mappings() throws IOException {
    return mappings("isle-");
  }

  private static long mappings(String name) throws IOException {
    return Files.readAllLines(Path.of("/proc/self/maps")).stream()
        .filter(line -> line.contains("/memfd:" + name))
        .count();
  }

  private static long direct() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }
}
