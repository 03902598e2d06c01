package io.isle.core.devices;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.device.DeviceAdmin;
import io.isle.api.device.HostFault;
import io.isle.api.observe.Actor;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Writes down what is asked of devices, by whom, and how it ended. */
final class AuditedDeviceAdmin implements DeviceAdmin {
  private final DeviceAdmin devices;
  private final Supplier<Audit> audit;

  /**
   * @param audit null while there is none: then nothing is written down
   */
  AuditedDeviceAdmin(DeviceAdmin devices, Supplier<Audit> audit) {
    this.devices = devices;
    this.audit = audit;
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
    AuditEvent event = AuditEvent.of(Actor.current(), "device." + verb).device(id).detail(detail);
    try {
      action.run();
      record(event);
    } catch (IsleException e) {
      record(event.failed(e.code(), e.getMessage()));
      throw e;
    } catch (RuntimeException e) {
      record(event.failed(Errno.EIO, e.toString()));
      throw e;
    }
  }

  private void record(AuditEvent event) {
    Audit book = audit.get();
    if (book != null) {
      book.record(event);
    }
  }
}
