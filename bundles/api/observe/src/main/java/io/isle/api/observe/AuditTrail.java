package io.isle.api.observe;

import io.isle.api.base.Errno;
import io.isle.api.base.ForeignText;
import io.isle.api.base.IsleException;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Runs control actions and records each with its outcome: a success, or a failure with its code and
 * its message in one line. Memory that runs out ends an action with an exception of the area that
 * the trail is for. Thread-safe.
 */
public final class AuditTrail {
  /** Makes an exception of one area. */
  @FunctionalInterface
  public interface AreaException {
    /**
     * @param code a positive code of {@code Errno}
     */
    IsleException of(int code, String message, Throwable cause);
  }

  private final Supplier<Audit> audit;
  private final AreaException area;

  /**
   * @param audit gives the audit log, or null while none is present: then nothing is recorded
   */
  public AuditTrail(Supplier<Audit> audit, AreaException area) {
    this.audit = audit;
    this.area = area;
  }

  /**
   * An action on behalf of a tenant. The actor is the user whose command runs on this thread, or
   * the tenant if no command does.
   */
  public static AuditEvent tenant(String action, String tenant, long capability, String device) {
    Actor user = Actor.current();
    Actor actor = user.kind() == Actor.Kind.USER ? user : Actor.tenant(tenant);
    return AuditEvent.of(actor, action).under(capability).device(device);
  }

  /**
   * Runs an action that makes something.
   *
   * @param object names the thing made, for the record
   * @return the thing made
   */
  public <T> T recorded(AuditEvent event, Supplier<T> action, Function<T, String> object) {
    T made = watched(event, action);
    record(event.object(object.apply(made)));
    return made;
  }

  /** Runs an action that makes nothing. */
  public void run(AuditEvent event, Runnable action) {
    Object ignored =
        watched(
            event,
            () -> {
              action.run();
              return event;
            });
    record(event);
  }

  private <T> T watched(AuditEvent event, Supplier<T> action) {
    try {
      return action.get();
    } catch (IsleException e) {
      throw failed(event, e);
    } catch (RuntimeException e) {
      record(event.failed(Errno.EIO, ForeignText.line(e.toString())));
      throw e;
    } catch (OutOfMemoryError e) {
      String reason = ForeignText.line(String.valueOf(e.getMessage()));
      throw failed(event, area.of(Errno.ENOMEM, "the platform is out of memory: " + reason, e));
    }
  }

  private IsleException failed(AuditEvent event, IsleException e) {
    record(event.failed(e.code(), ForeignText.line(String.valueOf(e.getMessage()))));
    return e;
  }

  /** Records an event whose action is over. */
  public void record(AuditEvent event) {
    Audit now = audit.get();
    if (now != null) {
      now.record(event);
    }
  }
}
