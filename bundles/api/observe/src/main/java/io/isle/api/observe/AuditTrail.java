package io.isle.api.observe;

import io.isle.api.base.Errno;
import io.isle.api.base.ForeignText;
import io.isle.api.base.IsleException;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Runs control actions and records each action with its result: a success, or a failure with its
 * code and its message in one line. Exhausted memory ends an action with an exception of the
 * trail's area. Thread-safe.
 */
public final class AuditTrail {
  /** Makes an exception of one area. */
  @FunctionalInterface
  public interface AreaException {
    /**
     * @param code a positive code of {@code Errno}
     * @param message for the user
     * @param cause the cause, or null
     */
    IsleException of(int code, String message, Throwable cause);
  }

  private final Supplier<Audit> audit;
  private final AreaException area;

  /**
   * @param audit supplies the audit log, or null while none is present; then no action is recorded
   * @param area makes exceptions of the area
   */
  public AuditTrail(Supplier<Audit> audit, AreaException area) {
    this.audit = audit;
    this.area = area;
  }

  /**
   * An action of a tenant. The actor is the user whose command runs on this thread, or the tenant
   * without such a command.
   */
  public static AuditEvent tenant(String action, String tenant, long capability, String device) {
    Actor user = Actor.current();
    Actor actor = user.kind() == Actor.Kind.USER ? user : Actor.tenant(tenant);
    return AuditEvent.of(actor, action).under(capability).device(device);
  }

  /**
   * Runs an action that makes an object.
   *
   * @param object the name of the new object, for the record
   * @return the new object
   */
  public <T> T recorded(AuditEvent event, Supplier<T> action, Function<T, String> object) {
    T made = watched(event, action);
    record(event.object(object.apply(made)));
    return made;
  }

  /** Runs an action without a result. */
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

  /** Records an event of a finished action. */
  public void record(AuditEvent event) {
    Audit now = audit.get();
    if (now != null) {
      now.record(event);
    }
  }
}
