package io.isle.api.observe;

/**
 * An action for the audit log. Use {@link #of} and the methods that add fields. Immutable; the log
 * shortens long texts.
 *
 * @param actor {@link Actor#text}
 * @param capability id of the capability that allowed the action; 0 without one
 * @param action area and verb, such as {@code device.reset} or {@code capability.issue}
 * @param device id of the affected device; empty without one
 * @param object another affected object, such as a context's id; empty without one
 * @param code 0, or a positive code of {@code Errno} for a failed action
 * @param detail a text for output
 */
public record AuditEvent(
    String actor,
    long capability,
    String action,
    String device,
    String object,
    int code,
    String detail) {
  /** A successful action without further fields. */
  public static AuditEvent of(Actor actor, String action) {
    return new AuditEvent(actor.text(), 0, action, "", "", 0, "");
  }

  /**
   * A copy with the capability that allowed the action.
   *
   * @param id core id of the capability
   */
  public AuditEvent under(long id) {
    return new AuditEvent(actor, id, action, device, object, code, detail);
  }

  /** A copy with the affected device. */
  public AuditEvent device(String id) {
    return new AuditEvent(actor, capability, action, id, object, code, detail);
  }

  /** A copy with another affected object. */
  public AuditEvent object(String what) {
    return new AuditEvent(actor, capability, action, device, what, code, detail);
  }

  /** A copy with a detail. */
  public AuditEvent detail(String text) {
    return new AuditEvent(actor, capability, action, device, object, code, text);
  }

  /**
   * A copy for a failed action.
   *
   * @param errno a positive or negated code
   * @param why the reason
   */
  public AuditEvent failed(int errno, String why) {
    return new AuditEvent(actor, capability, action, device, object, Math.abs(errno), why);
  }
}
