package io.isle.core.drivers.groups;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceClass;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.AllocArgs;
import io.isle.api.driver.Allocation;
import io.isle.api.driver.ContextArgs;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.HandlerUnits;
import io.isle.api.driver.Health;
import io.isle.api.driver.PowerState;
import io.isle.api.driver.Utilization;
import io.isle.core.drivers.driver.DriverProcess;
import io.isle.core.drivers.driver.FakeHost;
import io.isle.core.drivers.driver.OpenedDevice;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A process of a device that does what a test says. */
final class FakeProcess extends FakeHost implements OpenedDevice, AccelDevice {
  final List<Long> contexts = new ArrayList<>();
  final List<Long> submitted = new ArrayList<>();
  int refusal;

  /** Calls about handlers, with the thread of each. */
  final List<String> handlerCalls = new CopyOnWriteArrayList<>();

  /** Errors that it has counted. */
  long corrected;

  /** All that it says of its health; null for {@link #corrected} alone. */
  Health.Reading health;

  /** Memory of the device, as it says. */
  long memoryBytes = 16 * 1024;

  /** Why it was given up; null if it was not. */
  RecoveryCause abandoned;

  /** The size of what it allocates, as it says; 0 for what was asked for. */
  long says;

  Consumer<RecoveryCause> lost = cause -> {};
  private final OwnCompletions completions;
  private final Deque<Long> finished = new ArrayDeque<>();
  private boolean dead;

  FakeProcess(long pid, OwnCompletions completions) {
    super(pid);
    this.completions = completions;
  }

  /** It says at the next poll that this has ended. */
  void finish(long tag) {
    finished.add(tag);
  }

  void die() {
    dead = true;
    lost.accept(new RecoveryCause(RecoveryCause.Kind.CRASH, "it was ended by signal 11"));
  }

  AccelDevice view(GroupHosts hosts, String group) {
    return hosts.find(group).orElseThrow().port;
  }

  private void check() {
    if (dead) {
      throw new DriverException(Errno.ENODEV, "it has ended");
    }
  }

  @Override
  public void abandon(RecoveryCause cause) {
    abandoned = cause;
    dead = true;
  }

  @Override
  public AccelDevice device() {
    return this;
  }

  @Override
  public Optional<DriverProcess> process() {
    return Optional.of(this);
  }

  @Override
  public void tellLog() {}

  @Override
  public boolean runsKernels() {
    return true;
  }

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
    dead = true;
  }

  @Override
  public void release() {}

  @Override
  public DeviceInfo info() {
    return new DeviceInfo(
        DeviceClass.OTHER,
        1,
        memoryBytes,
        64,
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
    check();
    if (type == HandlerUnits.class) {
      return Optional.of(type.cast(new FakeHandlers(pid(), handlerCalls)));
    }
    return type == Health.class
        ? Optional.of(type.cast((Health) () -> health == null ? counted() : health))
        : Optional.empty();
  }

  private Health.Reading counted() {
    return new Health.Reading(0, 0, corrected, 0, 0, 0, 0);
  }

  @Override
  public void createContext(long context, ContextArgs args) {
    check();
    contexts.add(context);
  }

  @Override
  public void destroyContext(long context) {
    check();
    contexts.remove(context);
  }

  @Override
  public void resetContext(long context) {}

  @Override
  public void resetDevice() {}

  @Override
  public Allocation allocate(long context, long memory, AllocArgs args) {
    check();
    return new Allocation(says == 0 ? args.size() : says, Optional.empty());
  }

  @Override
  public void free(long memory) {}

  @Override
  public Utilization utilization() {
    return new Utilization(10, 0, 0, 16 * 1024, contexts.size(), 0, 0, 0);
  }

  @Override
  public PowerState power() {
    throw new DriverException(Errno.ENOTSUP, "none");
  }

  @Override
  public int submit(long context, long tag, MemorySegment commands, long offset, int length) {
    if (refusal == 0) {
      submitted.add(tag);
    }
    return refusal;
  }

  @Override
  public int poll(int limit) {
    int taken = 0;
    while (!finished.isEmpty()) {
      taken += completions.complete(finished.remove(), 0, 1, 2, 1, 0) == 0 ? 1 : 0;
    }
    return taken;
  }

  @Override
  public int preempt(long context, int reason) {
    return 0;
  }

  @Override
  public boolean alive() {
    return !dead;
  }

  @Override
  public void close() {}
}
