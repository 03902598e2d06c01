package io.isle.core.accel.display;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.device.ScanoutStatus;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** What the core keeps of the connectors of one place, over all devices. Thread-safe. */
final class PlaceScreens {
  /** As many as a device has at most. */
  private static final int MOST = 64;

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
  synchronized long flipped(int connector, long told, ShownMemory frame) {
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

  /** No device follows: what was shown is gone. */
  synchronized void lose() {
    for (ScreenHead head : heads.values()) {
      head.interrupt();
      head.set(head.state().showing(Optional.empty()));
    }
  }

  private ScreenHead head(int connector) {
    ScreenHead head = heads.get(connector);
    if (head == null) {
      if (heads.size() == MOST) {
        throw new AccelException(
            Errno.EPROTO, "the driver has told of more than " + MOST + " connectors");
      }
      head = new ScreenHead();
      heads.put(connector, head);
    }
    return head;
  }
}
