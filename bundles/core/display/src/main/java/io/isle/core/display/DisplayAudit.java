package io.isle.core.display;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.driver.DriverText;
import io.isle.api.observe.Actor;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.api.tenancy.Capability;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Writes down control actions on screens: who, with which capability, on which device. The actor is
 * the user whose command it is, else the tenant. Thread-safe.
 */
final class DisplayAudit {
  private final Supplier<Audit> book;

  /**
   * @param book gives the book, or null while there is none: then nothing is written down
   */
  DisplayAudit(Supplier<Audit> book) {
    this.book = book;
  }

  /** An action of a tenant on a device. */
  AuditEvent tenant(String action, Capability capability, String device) {
    Actor user = Actor.current();
    Actor actor = user.kind() == Actor.Kind.USER ? user : Actor.tenant(capability.tenant());
    return AuditEvent.of(actor, action).under(capability.id()).device(device);
  }

  /**
   * Does what {@code event} says and writes it down, also when it fails.
   *
   * @param object names what was made
   */
  <T> T recorded(AuditEvent event, Supplier<T> action, Function<T, String> object) {
    T made;
    try {
      made = action.get();
    } catch (IsleException e) {
      record(event.failed(e.code(), DriverText.line(e.getMessage())));
      throw e;
    } catch (OutOfMemoryError e) {
      throw outOfMemory(event, e);
    }
    record(event.object(object.apply(made)));
    return made;
  }

  private AccelException outOfMemory(AuditEvent event, OutOfMemoryError e) {
    AccelException refused =
        new AccelException(
            Errno.ENOMEM,
            "the platform is out of memory: " + DriverText.line(String.valueOf(e.getMessage())),
            e);
    record(event.failed(refused.code(), refused.getMessage()));
    return refused;
  }

  /** As {@link #recorded}, for an action that makes nothing. */
  void run(AuditEvent event, Runnable action) {
    try {
      action.run();
    } catch (IsleException e) {
      record(event.failed(e.code(), DriverText.line(e.getMessage())));
      throw e;
    } catch (OutOfMemoryError e) {
      throw outOfMemory(event, e);
    }
    record(event);
  }

  void record(AuditEvent event) {
    Audit now = book.get();
    if (now != null) {
      now.record(event);
    }
  }
}
