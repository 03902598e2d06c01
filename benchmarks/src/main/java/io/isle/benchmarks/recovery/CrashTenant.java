package io.isle.benchmarks.recovery;

import io.isle.api.accel.Accelerator;
import io.isle.api.accel.Accelerators;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.api.base.ConfigFiles;
import io.isle.api.base.Errno;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceState;
import io.isle.api.device.DeviceTree;
import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryLog;
import io.isle.api.health.FaultInjector;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import io.isle.benchmarks.embedded.EmbeddedPlatform;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** A device of its own on an {@link EmbeddedPlatform}, and contexts that go on over its crashes. */
final class CrashTenant implements AutoCloseable {
  private static final long WAIT_NS = 30_000_000_000L;
  private static final long PAUSE_NS = 20_000;

  private final String device;
  private final DeviceTree tree;
  private final RecoveryLog log;
  private final FaultInjector faults;
  private final ConfigFiles files;
  private final List<Context> contexts = new ArrayList<>();
  private final Program program;
  private final Accelerator accelerator;

  /**
   * Makes the device and opens contexts, each with a program and a page of memory.
   *
   * @param maxExecutionUs limit of a submission; 0 for the device's default
   */
  CrashTenant(
      EmbeddedPlatform platform, String device, int tier, int contextCount, long maxExecutionUs) {
    this.device = device;
    tree = platform.service(DeviceTree.class);
    log = platform.service(RecoveryLog.class);
    faults = platform.service(FaultInjector.class);
    files = platform.service(ConfigFiles.class);
    Map<String, String> settings = new HashMap<>();
    settings.put("driver", "soft");
    settings.put("tier", Integer.toString(tier));
    settings.put("compute_units", "1");
    settings.put("fault_injection", "true");
    settings.put("max_contexts", "128");
    files.set("io.isle.device-" + device, settings);
    awaitActive();
    accelerator = platform.service(Accelerators.class).find(DeviceQuery.id(device));
    Capability capability =
        platform
            .service(Capabilities.class)
            .issue(
                new CapabilitySpec("bench", EnumSet.allOf(Permission.class), Optional.empty(), 0));
    ContextSpec spec = ContextSpec.named("bench");
    if (maxExecutionUs > 0) {
      spec = spec.withMaxExecutionUs(maxExecutionUs);
    }
    Program first = null;
    for (int i = 0; i < contextCount; i++) {
      Context context = accelerator.open(capability, spec);
      contexts.add(context);
      Program loaded = context.load(new ProgramSource.Builtin("noop"));
      Buffer ignored = context.allocate(4096, 0);
      first = first == null ? loaded : first;
    }
    program = first;
  }

  private void awaitActive() {
    EmbeddedPlatform.await(
        device + " is active",
        () -> node().map(DeviceNode::state).equals(Optional.of(DeviceState.ACTIVE)));
  }

  private Optional<DeviceNode> node() {
    return tree.find(device);
  }

  /** Waits until the next crash would be taken over by a standby. */
  void awaitStandby() {
    EmbeddedPlatform.await(
        "a standby of " + device, () -> node().flatMap(DeviceNode::standbyPid).isPresent());
  }

  /** Lets the next submission meet a fault of the driver. */
  void plan(String fault) {
    faults.inject(device, fault, 0, 1, 0);
  }

  /** Kills the driver's process. */
  void kill() {
    List<ProcessHandle> host = new ArrayList<>();
    EmbeddedPlatform.await(
        "the process of " + device,
        () -> {
          node()
              .flatMap(DeviceNode::hostPid)
              .flatMap(ProcessHandle::of)
              .filter(ProcessHandle::isAlive)
              .ifPresent(host::add);
          return !host.isEmpty();
        });
    if (!host.getFirst().destroyForcibly()) {
      throw new IllegalStateException(device + ": its process could not be killed");
    }
  }

  /** Submits a no-op and waits for its end; returns its status. */
  int submit() {
    Context context = contexts.getFirst();
    CommandWriter writer = context.writer();
    if (writer != null) {
      writer.dispatch(program, 0, 1, 1, 1);
    }
    long point = context.submit(writer);
    return point < 0 ? (int) point : context.await(point, WAIT_NS);
  }

  /** Submits until one fails: the crash has reached this tenant. */
  void submitUntilFailure() {
    while (submit() == 0) {
      Thread.onSpinWait();
    }
  }

  /** Submits until one ends well, waiting for the device in between. */
  void submitUntilSuccess() {
    while (submit() != 0) {
      int status = contexts.getFirst().awaitUsable(WAIT_NS);
      if (status != 0) {
        throw new IllegalStateException(
            device + " does not take work again: " + Errno.name(status) + "; " + log.of(device));
      }
    }
  }

  /** Grows each time that the device is opened. */
  int epoch() {
    return accelerator.epoch();
  }

  /**
   * Submits now and then until one ends well on a device that was opened after {@code epoch}: a
   * tenant and an agent that never rest would take both processors from what is measured.
   */
  void submitUntilSuccessAfter(int epoch) {
    submitUntilSuccess();
    while (accelerator.epoch() <= epoch) {
      LockSupport.parkNanos(PAUSE_NS);
      submitUntilSuccess();
    }
  }

  /** Recoveries so far. */
  long recoveries() {
    List<Recovery> all = log.of(device);
    return all.isEmpty() ? 0 : all.getLast().number();
  }

  /** The newest recovery, once there is one after {@code before}. */
  Recovery awaitRecovery(long before) {
    EmbeddedPlatform.await("a recovery of " + device, () -> recoveries() > before);
    return log.of(device).getLast();
  }

  @Override
  public void close() {
    contexts.forEach(Context::close);
    boolean ignored = files.delete("io.isle.device-" + device);
    EmbeddedPlatform.await(device + " is gone", () -> node().isEmpty());
  }
}
