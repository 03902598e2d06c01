package io.isle.api.observe;

/**
 * An action to be written down. Made by {@link #of} and the methods that add to it. Immutable; long
 * texts are cut by who writes them.
 *
 * @param actor {@link Actor#text}
 * @param capability id of the capability that allowed it; 0 if none did
 * @param action area and verb, such as {@code device.reset} or {@code capability.issue}
 * @param device id of the device that it concerns; empty if none
 * @param object what else it concerns, such as a context's id; empty if nothing
 * @param code 0, or a positive code of {@code Errno} when it failed
 * @param detail for people
 */
public record AuditEvent(
    String actor,
    long capability,
    String action,
    String device,
    String object,
    int code,
    String detail) {
  /** An action that went well and concerns nothing yet. */
  public static AuditEvent of(Actor actor, String action) {
    return new AuditEvent(actor.text(), 0, action, "", "", 0, "");
  }

  /** Allowed by a capability, given by id. */
  public AuditEvent under(long id) {
    return new AuditEvent(actor, id, action, device, object, code, detail);
  }

  public AuditEvent device(String id) {
    return new AuditEvent(actor, capability, action, id, object, code, detail);
  }

  public AuditEvent object(String what) {
    return new AuditEvent(actor, capability, action, device, what, code, detail);
  }

  public AuditEvent detail(String text) {
    return new AuditEvent(actor, capability, action, device, object, code, text);
  }

  /** It failed, with a code of either sign. */
  public AuditEvent failed(int errno, String why) {
    return new AuditEvent(actor, capability, action, device, object, Math.abs(errno), why);
  }
}
