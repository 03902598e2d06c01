package io.isle.api.inference;

import java.util.Locale;
import java.util.Objects;

/**
 * A change of a fallback (accelerator framework, 45.6b.5). Immutable.
 *
 * @param timestampNs time of {@link io.isle.api.base.MonotonicClock}
 * @param model name of the decision whose model it is
 * @param group the group of tenants that it concerns; empty when it concerns all
 * @param device the device that it concerns; empty without one
 * @param type what happened
 * @param reason why the rule decides, or decided until now
 * @param durationNs time since the fallback began
 */
public record FallbackEvent(
    long timestampNs,
    String model,
    String group,
    String device,
    Type type,
    FallbackReason reason,
    long durationNs) {
  /** Kinds of changes. */
  public enum Type {
    /** The rule decides from now on, or for a graver reason than before. */
    ENTERED,
    /** One real call was given to the model on trial. */
    RECOVERY_ATTEMPT,
    /** The model decides again. */
    RECOVERED,
    /** The fallback has lasted long: a warning. */
    ESCALATION_WARNING,
    /** The fallback has lasted very long: an alert. */
    ESCALATION_CRITICAL,
    /** The fallback has lasted so long that only an administrator ends it. */
    AUTO_DISABLED,
    /** An administrator has ended the fallback. */
    ADMIN_RESET;

    /** Lower case, as in logs and audit records. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Checks that nothing is missing. */
  public FallbackEvent {
    Objects.requireNonNull(model, "model");
    Objects.requireNonNull(group, "group");
    Objects.requireNonNull(device, "device");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(reason, "reason");
  }
}
