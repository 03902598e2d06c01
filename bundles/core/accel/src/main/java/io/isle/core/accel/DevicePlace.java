package io.isle.core.accel;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Accelerator;
import io.isle.api.accel.ContextSpec;
import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.base.MonotonicClock;
import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DevicePort;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.lib.agent.AgentHost;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A device's place in the core: its engine, its contexts, and the device itself while open. */
final class DevicePlace implements DevicePort.Plug {
  private static final System.Logger LOG = System.getLogger(DevicePlace.class.getName());
  private static final String NEVER_OPENED = "it was not opened yet";

  private final String deviceId;
  private final SharedMemory shared = new SharedMemory();
  private final DeviceEngine engine;
  private final Capabilities capabilities;
  private final CoreIds ids;
  private final AccelAudit audit;
  private final PlaceContexts contexts;
  private final PlaceRecovery recovery;
  private final Runnable detached;
  private final Runnable closed;

  /** Whether there is nothing to tell of, or it was told already. */
  private final AtomicBoolean told = new AtomicBoolean(true);

  private volatile OpenDevice open;
  private volatile OpenDevice known;

  /** Names of built-in programs, as the device said last. */
  private volatile List<String> builtins = List.of();

  private volatile boolean recovering;
  private volatile String lostWhy = NEVER_OPENED;
  private volatile Consumer<RecoveryCause> failureListener = cause -> {};

  /**
   * @param detached called when the owner of drivers lets go
   * @param closed called once the place is gone
   */
  DevicePlace(
      String deviceId,
      AgentHost host,
      Supplier<AccelLimits> limits,
      Capabilities capabilities,
      CoreIds ids,
      MonotonicClock clock,
      AccelAudit audit,
      Runnable detached,
      Runnable closed) {
    this.deviceId = deviceId;
    this.capabilities = capabilities;
    this.ids = ids;
    this.audit = audit;
    this.detached = detached;
    this.closed = closed;
    engine = new DeviceEngine(deviceId, shared, host, limits, clock, this::find, this::failed);
    contexts = new PlaceContexts(this, engine, shared.commands().memory().byteSize(), limits);
    recovery = new PlaceRecovery(this, engine, contexts, limits, this::failed);
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
  public CompletionSink completions() {
    return engine.completions();
  }

  @Override
  public void started(long tag, long ns) {
    engine.starts().started(tag, ns);
  }

  @Override
  public void onFailure(Consumer<RecoveryCause> listener) {
    failureListener = listener;
  }

  @Override
  public boolean pause(Duration bound) {
    return recovery.pause(bound);
  }

  @Override
  public void unpause() {
    recovery.unpause();
  }

  @Override
  public void save() {
    recovery.save();
  }

  @Override
  public void freeze(RecoveryCause cause) {
    told.set(true);
    OpenDevice lost;
    synchronized (this) {
      lost = open;
      open = null;
      recovering = true;
    }
    recovery.freeze(cause, lost);
  }

  @Override
  public void fail(boolean keepPending) {
    recovery.fail(keepPending);
  }

  @Override
  public Recovery.Work rebuild(AccelDevice device, int epoch) {
    return recovery.rebuild(device, epoch);
  }

  @Override
  public void thaw() {
    OpenDevice opened = recovery.rebuilt();
    boolean first = known == null;
    told.set(false);
    engine.call(() -> engine.setDevice(opened));
    synchronized (this) {
      open = opened;
      known = opened;
      recovering = false;
    }
    recovery.resume();
    if (!first) {
      // the next driver may have other programs, but nobody waits for the list
      opened.lane().post("builtins", () -> builtins = opened.builtins(), failure -> {});
    }
  }

  @Override
  public void lose(String why) {
    synchronized (this) {
      lostWhy = why;
      recovering = false;
    }
    LOG.log(System.Logger.Level.INFO, "{0} is lost: {1}", deviceId, why);
    recovery.lose();
  }

  @Override
  public void detach(String why) {
    failureListener = cause -> {};
    detached.run();
  }

  @Override
  public void close() {
    freeze(new RecoveryCause(RecoveryCause.Kind.SERVICE, "it was unplugged"));
    lose("it was unplugged");
    recovery.end();
    shared.close();
    closed.run();
  }

  /** Opens a context; see {@link Accelerator#open}. */
  ExecutionContext openContext(Accelerator accelerator, Capability capability, ContextSpec spec) {
    return audit.recorded(
        audit.tenant("context.open", capability, deviceId).detail(String.valueOf(spec.name())),
        () -> {
          OpenDevice device = device();
          ContextRules.check(spec, deviceId, device.info(), capability, capabilities);
          return contexts.open(device, accelerator, capability, spec);
        },
        context -> Ids.text(context.id()));
  }

  void closeContextAnyway(ExecutionContext context) {
    contexts.closeAnyway(context);
  }

  void closeContext(ExecutionContext context) {
    contexts.close(context);
  }

  /**
   * The open device.
   *
   * @throws AccelException ENODEV; EINTR while it recovers
   */
  OpenDevice device() {
    OpenDevice now = open;
    if (now != null) {
      return now;
    }
    if (isRecovering()) {
      throw new AccelException(Errno.EINTR, deviceId + " recovers; try again in a moment");
    }
    throw notOpen();
  }

  /**
   * The open device, or the one before while the place recovers.
   *
   * @throws AccelException ENODEV
   */
  OpenDevice knownDevice() {
    OpenDevice last = known;
    if (last == null || open == null && !recovering) {
      throw notOpen();
    }
    return last;
  }

  private AccelException notOpen() {
    return new AccelException(
        Errno.ENODEV, deviceId + " is not open; see device:info " + deviceId + " for the reason");
  }

  /** Whether the open device can still do work. */
  boolean isAlive() {
    OpenDevice now = open;
    return now != null && now.device().alive();
  }

  boolean isOnline() {
    return open != null;
  }

  /** Before its first opening can be used: what it has. */
  void learn(OpenDevice opened) {
    if (known == null) {
      builtins = opened.lane().call("builtins", opened::builtins);
    }
  }

  List<String> builtins() {
    return builtins;
  }

  /** Of the opening that tenants use now. */
  Optional<Integer> epoch() {
    return Optional.ofNullable(open).map(OpenDevice::epoch);
  }

  boolean isRecovering() {
    return recovering && known != null;
  }

  /** Why it is not open. */
  String lostWhy() {
    return lostWhy;
  }

  /** Runs {@code action} if {@code device} is still the open one, before it can be taken away. */
  synchronized boolean whileOpen(OpenDevice device, Runnable action) {
    if (open != device) {
      return false;
    }
    action.run();
    return true;
  }

  boolean isPaused() {
    return engine.isPaused();
  }

  private Optional<ExecutionContext> find(long id) {
    return contexts.list().stream().filter(context -> context.id() == id).findFirst();
  }

  List<ExecutionContext> contexts() {
    return contexts.list();
  }

  String deviceId() {
    return deviceId;
  }

  MemorySegment commandMemory() {
    return shared.commands().memory();
  }

  Bell bell() {
    return engine.bell();
  }

  Capabilities capabilities() {
    return capabilities;
  }

  AccelAudit audit() {
    return audit;
  }

  CoreIds ids() {
    return ids;
  }

  /** Closes every context, as {@link ExecutionContext#close} does. */
  void closeContexts() {
    contexts.closeAll();
  }

  /** From the agent or from a caller of the control lane: neither may wait for the other here. */
  private void failed(RecoveryCause cause) {
    if (told.compareAndSet(false, true)) {
      Thread.ofVirtual()
          .name("isle-failure-" + deviceId)
          .start(
              () -> {
                LOG.log(System.Logger.Level.ERROR, "{0} failed: {1}", deviceId, cause.text());
                failureListener.accept(cause);
              });
    }
  }
}
