package io.isle.core.accel;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Accelerator;
import io.isle.api.accel.ContextSpec;
import io.isle.api.base.Errno;
import io.isle.api.base.MonotonicClock;
import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DriverException;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.lib.agent.AgentHost;
import io.isle.lib.shm.Doorbell;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A device's place in the core: its agent, its contexts, and the device itself while open. */
final class DevicePlace implements DevicePort.Plug {
  private static final System.Logger LOG = System.getLogger(DevicePlace.class.getName());

  private final String deviceId;
  private final SharedMemory shared = new SharedMemory();
  private final MemorySegment commands = shared.commands().memory();
  private final Bell bell;
  private final CompletionRing completions;
  private final ControlQueue control;
  private final DeviceAgent agent;
  private final AgentHost host;
  private final Doorbell door;
  private final AccelLimits limits;
  private final Capabilities capabilities;
  private final CoreIds ids;
  private final PlaceContexts contexts;
  private final Runnable closed;
  private AgentHost.Placement placement;
  private volatile OpenDevice open;
  private volatile Consumer<RecoveryCause> failureListener = cause -> {};

  /**
   * @param closed called once the place is gone
   */
  DevicePlace(
      String deviceId,
      AgentHost host,
      AccelLimits limits,
      Capabilities capabilities,
      CoreIds ids,
      MonotonicClock clock,
      Runnable closed) {
    this.deviceId = deviceId;
    this.limits = limits;
    this.capabilities = capabilities;
    this.ids = ids;
    this.closed = closed;
    this.host = host;
    door = new Doorbell(shared.doorbell().memory());
    bell = new Bell(door);
    completions = new CompletionRing(limits.maxInFlight(), bell);
    control =
        new ControlQueue(
            bell, TimeUnit.MILLISECONDS.toNanos(limits.controlTimeoutMs()), this::failedAsync);
    DeviceMachine machine =
        new DeviceMachine(
            PlaceContexts.CAPACITY,
            limits.maxInFlight(),
            new PriorityRoundRobin(PlaceContexts.CAPACITY));
    agent =
        new DeviceAgent(
            deviceId, commands, machine, completions, control, clock, this::failedAsync);
    contexts =
        new PlaceContexts(
            this, machine, agent, control, commands.byteSize(), limits.controlTimeoutMs());
    startAgent();
  }

  @Override
  public DevicePort.Shared commands() {
    return shared.commands();
  }

  @Override
  public DevicePort.Shared doorbell() {
    return shared.doorbell();
  }

  @Override
  public void started(long tag, long ns) {}

  @Override
  public boolean pause(Duration bound) {
    return false;
  }

  @Override
  public void unpause() {}

  @Override
  public void save() {}

  @Override
  public CompletionSink completions() {
    return completions;
  }

  @Override
  public void onFailure(Consumer<RecoveryCause> listener) {
    failureListener = listener;
  }

  @Override
  public Recovery.Work rebuild(AccelDevice device, int epoch) {
    ControlLane lane = new ControlLane(deviceId, limits.controlTimeoutMs(), this::failedAsync);
    OpenDevice opened;
    try {
      opened = OpenDevice.of(device, epoch, lane);
    } catch (AccelException e) {
      lane.close();
      throw new DriverException(e.code(), e.getMessage(), e);
    }
    synchronized (this) {
      if (open != null) {
        lane.close();
        throw new IllegalStateException(deviceId + " is online already");
      }
      if (control.isClosed()) {
        placement.close();
        startAgent();
      }
      control.call(() -> agent.setDevice(device));
      open = opened;
      return Recovery.Work.NONE;
    }
  }

  @Override
  public void thaw() {}

  @Override
  public void freeze(RecoveryCause cause) {
    OpenDevice lost;
    synchronized (this) {
      lost = open;
      open = null;
      if (lost != null) {
        contexts.lose();
        loseAtAgent();
      }
    }
    if (lost != null) {
      LOG.log(System.Logger.Level.INFO, "{0} is offline: {1}", deviceId, cause.text());
      lost.lane().close();
    }
  }

  @Override
  public void fail(boolean keepPending) {}

  @Override
  public void lose(String why) {}

  @Override
  public void detach(String why) {
    close();
  }

  @Override
  public void close() {
    freeze(new RecoveryCause(RecoveryCause.Kind.SERVICE, "it was unplugged"));
    shared.close();
    placement.close();
    bell.close();
    closed.run();
  }

  /** Opens a context; see {@link Accelerator#open}. */
  ExecutionContext openContext(Accelerator accelerator, Capability capability, ContextSpec spec) {
    OpenDevice device = device();
    ContextRules.check(spec, deviceId, device.info(), capability, capabilities);
    return contexts.open(device, accelerator, capability, spec);
  }

  void closeContext(ExecutionContext context) {
    contexts.close(context);
  }

  /**
   * The open device.
   *
   * @throws AccelException ENODEV
   */
  OpenDevice device() {
    OpenDevice now = open;
    if (now == null) {
      throw new AccelException(
          Errno.ENODEV, deviceId + " is not open; see device:info " + deviceId + " for the reason");
    }
    return now;
  }

  boolean isOnline() {
    return open != null;
  }

  /** Runs {@code action} if {@code device} is still the open one, before it can go offline. */
  synchronized boolean whileOpen(OpenDevice device, Runnable action) {
    if (open != device) {
      return false;
    }
    action.run();
    return true;
  }

  List<ExecutionContext> contexts() {
    return contexts.list();
  }

  String deviceId() {
    return deviceId;
  }

  MemorySegment commandMemory() {
    return commands;
  }

  Bell bell() {
    return bell;
  }

  Capabilities capabilities() {
    return capabilities;
  }

  CoreIds ids() {
    return ids;
  }

  /** Closes every context, as {@link ExecutionContext#close} does. */
  void closeContexts() {
    contexts.closeAll();
  }

  private void startAgent() {
    control.open();
    placement = host.start(agent, door);
  }

  private void loseAtAgent() {
    try {
      control.call(agent::loseDevice);
    } catch (AccelException e) {
      LOG.log(System.Logger.Level.ERROR, deviceId + ": " + e.getMessage(), e);
    }
    contexts.sealLost();
  }

  /** From the agent or from a caller of the control lane: neither may wait for the other here. */
  private void failedAsync(String why) {
    Thread.ofVirtual()
        .name("isle-failure-" + deviceId)
        .start(
            () -> {
              LOG.log(System.Logger.Level.ERROR, "{0} failed: {1}", deviceId, why);
              failureListener.accept(new RecoveryCause(RecoveryCause.Kind.EXCEPTION, why));
            });
  }
}
