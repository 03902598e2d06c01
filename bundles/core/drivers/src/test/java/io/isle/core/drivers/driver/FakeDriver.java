package io.isle.core.drivers.driver;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceClass;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.AllocArgs;
import io.isle.api.driver.Allocation;
import io.isle.api.driver.ContextArgs;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DeviceSeed;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.DriverInfo;
import io.isle.api.driver.PowerControl;
import io.isle.api.driver.PowerState;
import io.isle.api.driver.Utilization;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A driver whose openings end as a test says; says itself what is done to its devices. */
public final class FakeDriver implements DriverHandle {
  private final String version;
  private final Consumer<String> calls;

  /** What happens at the next openings, in this order; an opening beyond them works. */
  public final Deque<Consumer<OpenRequest>> openings = new ArrayDeque<>();

  public Optional<DriverHandle> older = Optional.empty();

  /** Thrown when it is asked for {@link #older}, unless null. */
  public RuntimeException defect;

  public volatile OpenRequest last;

  /** The opening that was lost last. */
  private volatile OpenRequest lost;

  /** Whether its devices say that a process of their own runs them. */
  public boolean hosted;

  /** Starts hosts that wait for a device. */
  public volatile Supplier<Optional<Standby>> standby = Optional::empty;

  public FakeDriver(String version, Consumer<String> calls) {
    this.version = version;
    this.calls = calls;
  }

  public void fails(int times, int code) {
    for (int i = 0; i < times; i++) {
      openings.add(
          request -> {
            throw new DriverException(code, "opening " + request.epoch() + " fails");
          });
    }
  }

  /** The device that is open now is lost. */
  public void lose(RecoveryCause.Kind kind, String text) {
    lost = last;
    last.lost().accept(new RecoveryCause(kind, text));
  }

  @Override
  public DriverInfo info() {
    return new DriverInfo("x", version, DriverInfo.KABI, List.of(), false);
  }

  @Override
  public List<DeviceSeed> seeds() {
    return List.of();
  }

  @Override
  public String source() {
    return "test " + version;
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
    return new Versions() {
      @Override
      public void proven() {
        calls.accept("proven " + version);
      }

      @Override
      public Optional<DriverHandle> lastGood() {
        if (defect != null) {
          throw defect;
        }
        return older;
      }

      @Override
      public Optional<DriverHandle> changed() {
        return Optional.empty();
      }
    };
  }

  @Override
  public OpenedDevice open(OpenRequest request) {
    calls.accept("open " + version + " " + request.spec().settings());
    if (!openings.isEmpty()) {
      openings.removeFirst().accept(request);
    }
    last = request;
    return new Opened();
  }

  @Override
  public Optional<Standby> standby(DeviceSpec spec, DevicePort.Attachment attachment) {
    return standby.get();
  }

  private final class Opened implements OpenedDevice {
    private final Device device = new Device();

    @Override
    public AccelDevice device() {
      return device;
    }

    @Override
    public Optional<DriverProcess> process() {
      return hosted ? Optional.of(new FakeHost(1)) : Optional.empty();
    }

    @Override
    public void tellLog() {}

    @Override
    public List<String> services() {
      return List.of();
    }

    @Override
    public List<String> interfaces() {
      return List.of();
    }

    @Override
    public void end(boolean orderly) {
      calls.accept(orderly ? "close" : "kill");
    }

    @Override
    public void release() {}
  }

  private final class Device implements AccelDevice, PowerControl {
    private final OpenRequest request = last;

    @Override
    public DeviceInfo info() {
      return new DeviceInfo(
          DeviceClass.GPU_COMPUTE,
          1,
          1 << 20,
          4,
          DeviceInfo.Preemption.NONE,
          4096,
          1,
          false,
          false,
          false,
          false);
    }

    @Override
    public <X> Optional<X> extension(Class<X> type) {
      return type == PowerControl.class ? Optional.of(type.cast(this)) : Optional.empty();
    }

    @Override
    public Set<State> states() {
      return Set.of(State.D0_ACTIVE, State.D1_LOW_POWER);
    }

    @Override
    public void enter(State state) {
      calls.accept("power " + state.code());
    }

    @Override
    public void createContext(long context, ContextArgs args) {}

    @Override
    public void destroyContext(long context) {}

    @Override
    public void resetContext(long context) {}

    @Override
    public void resetDevice() {
      calls.accept("reset");
    }

    @Override
    public Allocation allocate(long context, long memory, AllocArgs args) {
      throw new DriverException(Errno.ENOMEM, "none");
    }

    @Override
    public void free(long memory) {}

    @Override
    public Utilization utilization() {
      throw new DriverException(Errno.ENOTSUP, "none");
    }

    @Override
    public PowerState power() {
      throw new DriverException(Errno.ENOTSUP, "none");
    }

    @Override
    public int submit(long context, long tag, MemorySegment commands, long offset, int length) {
      return -Errno.ENODEV;
    }

    @Override
    public int poll(int limit) {
      return 0;
    }

    @Override
    public int preempt(long context, int reason) {
      return 0;
    }

    @Override
    public boolean alive() {
      return lost != request;
    }

    @Override
    public void close() {}
  }
}
