package io.isle.api.spin;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Hears of traps, aborts and recoveries: a service of whoever wants to know. Each listener is
 * called by one thread at a time, in the order of the events. One that is too slow loses the
 * newest. What it throws is logged.
 */
@ConsumerType
public interface NicListener {
  /** A handler did not return. */
  default void onTrap(TrapEvent event) {}

  /** A message ended without its tail handler. */
  default void onAbort(AbortEvent event) {}

  /** A context changed its state. */
  default void onContext(ContextEvent event) {}
}
