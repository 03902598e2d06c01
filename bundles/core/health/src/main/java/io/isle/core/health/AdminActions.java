package io.isle.core.health;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceTree;
import io.isle.api.driver.DeviceSession;
import io.isle.api.driver.DeviceSessions;
import io.isle.api.driver.DriverException;
import io.isle.api.health.HealthException;
import io.isle.api.observe.Actor;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.api.observe.AuditTrail;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Actions of administrators on single devices. Each is recorded with its actor and its outcome.
 * Thread-safe.
 */
final class AdminActions {
  private final DeviceSessions sessions;
  private final Supplier<DeviceTree> tree;
  private final AuditTrail trail;

  /**
   * @param tree says why a device is not open; gives null while there is none
   * @param audit gives the audit log, or null while none is present: then nothing is recorded
   */
  AdminActions(DeviceSessions sessions, Supplier<DeviceTree> tree, Supplier<Audit> audit) {
    this.sessions = sessions;
    this.tree = tree;
    trail = new AuditTrail(audit, HealthException::new);
  }

  /**
   * Acts on an open device.
   *
   * @param verb for the record
   * @param detail for the record
   * @throws HealthException ENODEV when it is not open; EINTR while it recovers; what {@code
   *     action} throws
   */
  void run(String verb, String device, String detail, Consumer<DeviceSession> action) {
    AuditEvent event =
        AuditEvent.of(Actor.current(), "device." + verb).device(device).detail(detail);
    trail.run(event, () -> act(device, action));
  }

  private void act(String device, Consumer<DeviceSession> action) {
    try {
      action.accept(sessions.find(device).orElseThrow(() -> notOpen(device)));
    } catch (DriverException e) {
      throw told(e);
    }
  }

  private static HealthException told(DriverException e) {
    // it was replaced after it was found: as while it recovers, whoever asks again may have it
    int code = e.code() == Errno.ESTALE ? Errno.EINTR : e.code();
    return new HealthException(code, e.getMessage(), e);
  }

  private HealthException notOpen(String device) {
    DeviceTree now = tree.get();
    Optional<DeviceNode> node = now == null ? Optional.empty() : now.find(device);
    if (node.isEmpty()) {
      return new HealthException(Errno.ENODEV, device + " is not open");
    }
    return switch (node.get().state()) {
      // one that is active or suspended has come back since its session was looked for
      case ACTIVE, SUSPENDED, RECOVERING ->
          new HealthException(Errno.EINTR, device + " recovers; try again in a moment");
      case QUARANTINED, FAILED, DISABLED ->
          new HealthException(
              Errno.ENODEV, device + " is not open; see device:info " + device + " for the reason");
    };
  }
}
