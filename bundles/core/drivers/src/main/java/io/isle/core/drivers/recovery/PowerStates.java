package io.isle.core.drivers.recovery;

import io.isle.api.driver.PowerControl;
import io.isle.core.drivers.session.OpenSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Power states of devices that are suspended and go on. */
final class PowerStates {
  private static final Logger LOG = LoggerFactory.getLogger(PowerStates.class);

  private PowerStates() {}

  /** Nothing runs on it, which is what matters: a driver that refuses costs only power. */
  static void save(OpenSession open) {
    try {
      enter(open, PowerControl.State.D1_LOW_POWER);
    } catch (RuntimeException | Error e) {
      LOG.warn("{}: the suspended device stays at full power", open.id(), e);
    }
  }

  /**
   * Switches, where the device has the state.
   *
   * @throws io.isle.api.driver.DriverException as {@link OpenSession#call}
   */
  static void enter(OpenSession open, PowerControl.State state) {
    if (open.has(PowerControl.class)) {
      boolean ignored =
          open.call(
              PowerControl.class,
              control -> {
                boolean can = control.states().contains(state);
                if (can) {
                  control.enter(state);
                }
                return can;
              });
    }
  }
}
