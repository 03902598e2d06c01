package io.isle.core.accel;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Accelerator;
import io.isle.api.accel.AcceleratorInfo;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.GroupUsage;
import io.isle.api.base.Errno;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceState;
import io.isle.api.observe.AuditTrail;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;
import io.isle.core.accel.device.OpenDevice;
import io.isle.core.accel.managed.ManagedDevice;
import io.isle.core.accel.submit.ExecutionContext;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A device by its id, as one tenant bundle holds it; good over reloads of the driver. */
final class AcceleratorHandle implements Accelerator {
  private final String id;
  private final BundleView view;

  AcceleratorHandle(String id, BundleView view) {
    this.id = id;
    this.view = view;
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public AcceleratorInfo info() {
    return info(device());
  }

  AcceleratorInfo info(ManagedDevice device) {
    OpenDevice known = device.currentOpening().knownDevice();
    List<ExecutionContext> contexts =
        device.contexts().stream().filter(context -> !context.record().over()).toList();
    return new AcceleratorInfo(
        id,
        known.info().deviceClass(),
        node().map(DeviceNode::tier).orElse(1),
        known.info().computeUnits(),
        known.info().localMemoryBytes(),
        contexts.stream().mapToLong(context -> context.memory().bytes()).sum(),
        known.info().maxContexts(),
        contexts.size(),
        known.info().maxCommandBytes(),
        known.info().preemption().name().toLowerCase(Locale.ROOT),
        device.policy().name().toLowerCase(Locale.ROOT),
        known.programKinds(),
        device.currentOpening().builtins());
  }

  @Override
  public DeviceState state() {
    Optional<DeviceState> told = node().map(DeviceNode::state);
    DeviceState here =
        view.core()
            .device(id)
            .map(device -> device.currentOpening().state())
            .orElse(DeviceState.FAILED);
    if (here == DeviceState.ACTIVE) {
      return told.filter(state -> state == DeviceState.SUSPENDED).orElse(here);
    }
    return told.filter(state -> state != DeviceState.ACTIVE).orElse(here);
  }

  @Override
  public int epoch() {
    return view.core()
        .device(id)
        .flatMap(device -> device.currentOpening().epoch())
        .or(() -> node().map(DeviceNode::epoch))
        .orElse(0);
  }

  @Override
  public Context open(Capability capability, ContextSpec spec) {
    ExecutionContext context = device().openContext(this, capability, spec);
    view.opened(context);
    return context;
  }

  @Override
  public void setPerformanceLevel(Capability capability, String level) {
    ManagedDevice device = device();
    AuditTrail audit = view.core().audit();
    audit.run(
        AuditTrail.tenant("device.performance-level", capability.tenant(), capability.id(), id)
            .detail(level),
        () -> {
          view.core().services().capabilities().check(capability, Permission.ACCEL_POWER, id);
          device.currentOpening().device().setPerformanceLevel(level);
        });
  }

  @Override
  public GroupUsage usage(Capability capability) {
    String deviceId = device().deviceId();
    view.core().checkHolder(capability, deviceId);
    return view.usageOf(capability, deviceId);
  }

  private Optional<DeviceNode> node() {
    return view.node(id);
  }

  private ManagedDevice device() {
    return view.core()
        .device(id)
        .orElseThrow(() -> new AccelException(Errno.ENODEV, id + " is not open; see device:list"));
  }
}
