package io.isle.spin.nic.hpus;

import io.isle.api.accel.Context;
import io.isle.api.base.Errno;
import io.isle.api.driver.DeviceSession;
import io.isle.api.driver.DeviceSessions;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.HandlerUnits;
import io.isle.api.driver.HpuCaps;
import io.isle.api.driver.HpuReport;
import io.isle.api.spin.SpinException;
import java.util.function.Function;

/** Calls of the driver that has the HPUs of a context. Control path. */
final class HpuCalls {
  private final DeviceSessions sessions;
  private final Context context;
  private final String name;

  /**
   * @param name for messages
   */
  HpuCalls(DeviceSessions sessions, Context context, String name) {
    this.sessions = sessions;
    this.context = context;
    this.name = name;
  }

  private <T> T call(Function<HandlerUnits, T> work) {
    String device = context.accelerator().id();
    DeviceSession session =
        sessions
            .find(device)
            .orElseThrow(
                () -> new SpinException(Errno.EINTR, device + " recovers; try again in a moment"));
    try {
      return session.call(HandlerUnits.class, work);
    } catch (DriverException e) {
      throw new SpinException(e.code(), name + ": " + e.getMessage(), e);
    }
  }

  /** Attaches a program; the handlers that it has, as a bit set. */
  int attach(long program, long[] memories) {
    return call(
        units -> {
          units.attach(context.id(), program, memories, units.caps().limits());
          return units.report(context.id()).handlers();
        });
  }

  void detach() {
    boolean ignored =
        call(
            units -> {
              units.detach(context.id());
              return true;
            });
  }

  /** Detaches what is attached, if anything is. */
  void detachLeft() {
    if (report().attached()) {
      detach();
    }
  }

  HpuReport report() {
    return call(units -> units.report(context.id()));
  }

  HpuCaps caps() {
    return call(HandlerUnits::caps);
  }
}
