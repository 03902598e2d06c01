package io.isle.core.display;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.device.ScanoutStatus;
import io.isle.core.display.state.DeviceState;
import io.isle.core.display.state.Frame;
import io.isle.core.display.state.HeadState;
import io.isle.core.display.state.ScreenState;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** What is kept of the connectors of one device, over all its openings. Thread-safe. */
final class DeviceScreens {
  private final Map<Integer, ScreenHead> heads = new TreeMap<>();

  /** The device has set it so. */
  synchronized void changed(int connector, UnaryOperator<ScreenState> change) {
    ScreenHead head = head(connector);
    head.set(change.apply(head.state()));
  }

  /** See {@link ScreenHead#saw(ScanoutStatus)}. */
  synchronized ScanoutStatus saw(int connector, ScanoutStatus told) {
    return head(connector).saw(told);
  }

  /** See {@link ScreenHead#saw(long)}. */
  synchronized long saw(int connector, long point) {
    return head(connector).saw(point);
  }

  /** See {@link ScreenHead#flipped}. */
  synchronized long flipped(int connector, long told, Frame frame) {
    return head(connector).flipped(told, frame);
  }

  /** See {@link ScreenHead#outcome}. */
  synchronized OptionalInt outcome(int connector, long point) {
    ScreenHead head = heads.get(connector);
    return head == null ? OptionalInt.of(-Errno.EINVAL) : head.outcome(point);
  }

  /** The device is gone; how its connectors were set. */
  synchronized Map<Integer, ScreenState> interrupt() {
    Map<Integer, ScreenState> states = new TreeMap<>();
    heads.forEach(
        (connector, head) -> {
          head.interrupt();
          states.put(connector, head.state());
        });
    return states;
  }

  /** The next device is set up. */
  synchronized void rebuilt(DisplayRebuild.Outcome outcome) {
    heads.forEach(
        (connector, head) -> {
          Optional.ofNullable(outcome.connected().get(connector)).ifPresent(head::found);
          Optional.ofNullable(outcome.flips().get(connector)).ifPresent(head::reflipped);
          head.set(outcome.states().getOrDefault(connector, ScreenState.FRESH));
        });
  }

  /** Goes on; before the first call. */
  synchronized void restore(Map<Integer, HeadState> before) {
    before.forEach((connector, head) -> heads.put(connector, ScreenHead.of(head)));
  }

  synchronized Map<Integer, HeadState> snapshot() {
    Map<Integer, HeadState> all = new TreeMap<>();
    heads.forEach((connector, head) -> all.put(connector, head.snapshot()));
    return all;
  }

  private ScreenHead head(int connector) {
    ScreenHead head = heads.get(connector);
    if (head == null) {
      if (heads.size() == DeviceState.MAX_HEADS) {
        throw new AccelException(
            Errno.EPROTO,
            "the driver has reported more than " + DeviceState.MAX_HEADS + " connectors");
      }
      head = new ScreenHead();
      heads.put(connector, head);
    }
    return head;
  }
}
