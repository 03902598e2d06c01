package io.isle.core.drivers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DeviceRegistry;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.DriverInfo;
import io.isle.core.drivers.driver.DriverHandle;
import io.isle.core.drivers.driver.FakeDriver;
import io.isle.core.drivers.driver.OpenedDevice;
import io.isle.core.drivers.driver.Standby;
import io.isle.core.drivers.driver.Versions;
import io.isle.core.drivers.nativecode.FakeAttachment;
import io.isle.core.drivers.supervision.Rig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BoundDriverTest {
  private static final RecoveryCause GONE =
      new RecoveryCause(RecoveryCause.Kind.UPDATE, "the test ends");

  private final Rig rig = new Rig(Rig.QUICK);
  private final List<String> attached = new ArrayList<>();
  private final Registry registry = new Registry();

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void aPortThatComesWhileADeviceIsAskedForIsNotMissed() {
    BoundDriver driver = new BoundDriver(new Refusing(), null, rig.shared());
    driver.bind(registry);
    registry.asksForEpoch = () -> driver.port(new Port());
    driver.apply(spec("x0"));
    assertEquals(List.of("x0"), attached);
    driver.close(GONE);
  }

  @Test
  void aPortThatCameFirstIsUsed() {
    BoundDriver driver = new BoundDriver(new Refusing(), null, rig.shared());
    driver.bind(registry);
    driver.port(new Port());
    driver.apply(spec("x0"));
    assertEquals(List.of("x0"), attached);
    driver.close(GONE);
  }

  @Test
  void noDeviceIsOpenedOnceTheDriverIsClosed() {
    BoundDriver driver = new BoundDriver(new Refusing(), new Port(), rig.shared());
    driver.bind(registry);
    registry.asksForEpoch = () -> driver.close(GONE);
    DriverException refused = assertThrows(DriverException.class, () -> driver.apply(spec("x0")));
    assertEquals(Errno.ENODEV, refused.code());
    assertEquals(List.of(), attached);
  }

  /** The attachment of the first device fails one call. */
  private BoundDriver twoDevices(String fails) {
    BoundDriver driver = new BoundDriver(new FakeDriver("1", call -> {}), rig, rig.shared());
    driver.bind(registry);
    driver.apply(spec("x0"));
    driver.apply(spec("x1"));
    AtomicInteger times = new AtomicInteger();
    rig.attachmentCalls =
        what -> {
          if (what.equals(fails) && times.getAndIncrement() == 0) {
            throw new IllegalStateException("a defect");
          }
        };
    rig.calls.clear();
    return driver;
  }

  private long times(String call) {
    return rig.calls().stream().filter(call::equals).count();
  }

  @Test
  void aDeviceThatFailsToLeaveThePlaceKeepsNoOtherThere() {
    BoundDriver driver = twoDevices("close");
    driver.port(null);
    assertEquals(2, times("close"));
    driver.close(GONE);
  }

  @Test
  void aDeviceThatFailsToGoKeepsNeitherTheOthersNorTheName() {
    BoundDriver driver = twoDevices("detach");
    driver.close(GONE);
    assertEquals(2, times("detach"));
    assertTrue(registry.unbound);
  }

  private static DeviceRegistry.DeviceSpec spec(String id) {
    DeviceSeed seed = new DeviceSeed("x", "", "");
    return new DeviceRegistry.DeviceSpec(id, seed, 1, true, Map.of());
  }

  /** Opens nothing: what matters here is whether it was asked. */
  private static final class Refusing implements DriverHandle {
    @Override
    public DriverInfo info() {
      return new DriverInfo("x", "1", DriverInfo.KABI, List.of(), false);
    }

    @Override
    public List<DeviceSeed> seeds() {
      return List.of();
    }

    @Override
    public String source() {
      return "test";
    }

    @Override
    public String missing() {
      return "";
    }

    @Override
    public String note() {
      return "";
    }

    @Override
    public Versions versions() {
      return Versions.NONE;
    }

    @Override
    public Optional<Standby> standby(
        DeviceRegistry.DeviceSpec spec, DevicePort.Attachment attachment) {
      return Optional.empty();
    }

    @Override
    public OpenedDevice open(OpenRequest request) {
      throw new DriverException(Errno.EIO, "the test's driver opens nothing");
    }
  }

  private final class Port implements DevicePort {
    @Override
    public Attachment attach(String deviceId) {
      attached.add(deviceId);
      return new FakeAttachment();
    }
  }

  private static final class Registry implements DeviceRegistry {
    private Runnable asksForEpoch = () -> {};
    private boolean unbound;

    @Override
    public Binding bind(DriverInfo driver, List<DeviceSeed> seeds, DeviceControl control) {
      return new Binding() {
        @Override
        public void report(DeviceReport report) {}

        @Override
        public int epoch(String deviceId) {
          asksForEpoch.run();
          return 0;
        }

        @Override
        public void succeed(DriverInfo next, List<DeviceSeed> itsSeeds) {}

        @Override
        public void close() {
          unbound = true;
        }
      };
    }

    @Override
    public void settle() {}
  }
}
