package io.isle.core.accel;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Accelerator;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.base.MonotonicClock;
import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AccelDevice;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditTrail;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;
import io.isle.core.accel.group.AccelGroups;
import io.isle.core.accel.managed.ManagedDevice;
import io.isle.core.accel.managed.ManagedDeviceInternals;
import io.isle.core.accel.settings.AccelLimits;
import io.isle.core.testing.FakeCapabilities;
import io.isle.lib.agent.ThreadedAgentHost;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A core with one scripted device, for tests. */
public final class Fixture implements AutoCloseable {
  public final FakeCapabilities capabilities = new FakeCapabilities();
  public final BlockingQueue<RecoveryCause> failures = new LinkedBlockingQueue<>();
  final ThreadedAgentHost agents = new ThreadedAgentHost(1, MonotonicClock.SYSTEM);
  final AccelCore core;
  volatile Audit audit;
  public OwnedAttachment attachment;
  public ScriptedDevice device;
  private int epoch = 1;
  final BundleView view;
  public final Capability all = capabilities.grant("test", Set.of(Permission.values()), 0);

  public Fixture() {
    this(AccelLimits.DEFAULT);
  }

  Fixture(AccelLimits limits) {
    core =
        new AccelCore(
            limits,
            agents,
            capabilities,
            MonotonicClock.SYSTEM,
            new AuditTrail(() -> audit, AccelException::new));
    capabilities.onRevoked(core.hostTimelines()::revoked);
    var ignored = core.members().apply(AccelGroups.EMPTY, Map.of());
    attachment = new OwnedAttachment(core.attach("sim0"));
    device = new ScriptedDevice(attachment.completions());
    view = new BundleView(core, () -> null);
    attachment.onFailure(
        cause -> {
          lose();
          failures.add(cause);
        });
    online(device, 1);
  }

  public void online(AccelDevice opened, int epoch) {
    var ignored = attachment.rebuild(opened, epoch);
    attachment.thaw();
  }

  /** The device is gone; what it did not finish has ended. */
  public void crash() {
    freeze();
    attachment.fail(false);
  }

  void freeze() {
    attachment.freeze(new RecoveryCause(RecoveryCause.Kind.CRASH, "test"));
  }

  /** The device, which has drained, is taken out in order. */
  void replace() {
    attachment.freeze(new RecoveryCause(RecoveryCause.Kind.RELOAD, "test"));
    attachment.fail(true);
  }

  /** A new device takes over. */
  public Recovery.Work recover() {
    device = new ScriptedDevice(attachment.completions());
    Recovery.Work work = attachment.rebuild(device, ++epoch);
    attachment.thaw();
    return work;
  }

  /** As {@link #recover}, with a device that the test has prepared. */
  public void recoverWith(ScriptedDevice next) {
    var ignored = recover(next);
  }

  /** As {@link #recover}, with a device that the test has prepared. */
  Recovery.Work recover(ScriptedDevice next) {
    device = next;
    Recovery.Work work = attachment.rebuild(next, ++epoch);
    attachment.thaw();
    return work;
  }

  /** As {@link #recover}, and the device can retire pages. */
  void recoverWithRetirement() {
    device = new ScriptedDevice(attachment.completions());
    device.retires = true;
    var ignored = attachment.rebuild(device, ++epoch);
    attachment.thaw();
  }

  /** The administrator's limits from now on. */
  public void configure(AccelLimits limits) {
    core.configure(limits);
  }

  void attachAgain() {
    attachment = new OwnedAttachment(core.attach("sim0"));
  }

  /** The managed device. */
  public ManagedDevice device() {
    return core.device("sim0").orElseThrow();
  }

  boolean paused() {
    return ManagedDeviceInternals.isPaused(device());
  }

  /** The device goes and does not come back. */
  public void lose() {
    attachment.freeze(new RecoveryCause(RecoveryCause.Kind.CRASH, "test"));
    attachment.fail(false);
    attachment.lose("test");
  }

  public Accelerator accelerator() {
    return view.find(DeviceQuery.id("sim0"));
  }

  public Context context() {
    return accelerator().open(all, ContextSpec.named("test"));
  }

  public Context context(ContextSpec spec) {
    return accelerator().open(all, spec);
  }

  @Override
  public void close() {
    device.completeAtOnce = true;
    device.close();
    view.close();
    core.close();
    attachment.abort();
    agents.close();
  }
}
