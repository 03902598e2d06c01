package io.isle.core.devices;

import io.isle.api.device.DeviceAdmin;
import io.isle.api.device.DeviceException;
import io.isle.api.device.HostFault;
import io.isle.api.observe.Actor;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditTrail;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Records each control call on a device with its actor and its outcome. */
final class AuditedDeviceAdmin implements DeviceAdmin {
  private final DeviceAdmin devices;
  private final AuditTrail trail;

  /**
   * @param audit gives the audit log, or null while none is present: then nothing is recorded
   */
  AuditedDeviceAdmin(DeviceAdmin devices, Supplier<Audit> audit) {
    this.devices = devices;
    trail = new AuditTrail(audit, DeviceException::new);
  }

  @Override
  public void configure(String id, Map<String, String> changes) {
    String text = new TreeMap<>(changes).toString();
    recorded("configure", id, text, () -> devices.configure(id, changes));
  }

  @Override
  public void reload(String id) {
    recorded("reload", id, "", () -> devices.reload(id));
  }

  @Override
  public void reset(String id) {
    recorded("reset", id, "", () -> devices.reset(id));
  }

  @Override
  public void suspend(String id) {
    recorded("suspend", id, "", () -> devices.suspend(id));
  }

  @Override
  public void resume(String id) {
    recorded("resume", id, "", () -> devices.resume(id));
  }

  @Override
  public void injectFault(String id, HostFault fault) {
    String text = fault.name().toLowerCase(Locale.ROOT);
    recorded("inject-fault", id, text, () -> devices.injectFault(id, fault));
  }

  @Override
  public void injectFault(String id, String group, HostFault fault) {
    String text = fault.name().toLowerCase(Locale.ROOT) + " of group " + group;
    recorded("inject-fault", id, text, () -> devices.injectFault(id, group, fault));
  }

  private void recorded(String verb, String id, String detail, Runnable action) {
    trail.run(AuditEvent.of(Actor.current(), "device." + verb).device(id).detail(detail), action);
  }
}
