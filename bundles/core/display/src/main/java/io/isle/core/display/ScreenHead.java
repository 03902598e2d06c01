package io.isle.core.display;

import io.isle.api.base.Errno;
import io.isle.api.device.ScanoutStatus;
import io.isle.core.display.state.Frame;
import io.isle.core.display.state.HeadState;
import io.isle.core.display.state.ScreenState;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One connector over all openings of its device: how it is set, the points of its flips (1, 2, 3,
 * ...), and how often a screen came or went. At most one flip waits. Guarded by its owner.
 */
final class ScreenHead {
  private ScreenState state = ScreenState.FRESH;
  private long asked;
  private long reached;
  private final Deque<Long> interrupted = new ArrayDeque<>();

  /** The device's point of the newest flip. */
  private long told;

  private long hotplugsBefore;
  private int hotplugsTold;

  /** As a device said last; empty before. */
  private Optional<Boolean> connected = Optional.empty();

  ScreenHead() {}

  /** One that goes on. */
  static ScreenHead of(HeadState before) {
    ScreenHead head = new ScreenHead();
    head.state = before.screen();
    head.asked = before.asked();
    head.reached = before.reached();
    head.interrupted.addAll(before.interrupted());
    head.told = before.told();
    head.hotplugsBefore = before.hotplugsBefore();
    head.hotplugsTold = before.hotplugsTold();
    head.connected = before.connected();
    return head;
  }

  HeadState snapshot() {
    return new HeadState(
        state,
        asked,
        reached,
        List.copyOf(interrupted),
        told,
        hotplugsBefore,
        hotplugsTold,
        connected);
  }

  ScreenState state() {
    return state;
  }

  void set(ScreenState newState) {
    state = newState;
  }

  /**
   * The device took a flip, so the one before is shown.
   *
   * @param point as the device says
   * @return the core's
   */
  long flipped(long point, Frame frame) {
    told = point;
    state = state.showing(Optional.of(frame));
    reached = asked;
    return ++asked;
  }

  /**
   * The device said how far it is.
   *
   * @return the core's point
   */
  long saw(long point) {
    if (point >= told) {
      reached = asked;
    }
    return reached;
  }

  /**
   * The device said how the connector is.
   *
   * @return the same with what the core counts
   */
  ScanoutStatus saw(ScanoutStatus status) {
    state = state.as(status);
    hotplugsTold = status.hotplugs();
    connected = Optional.of(status.connected());
    return status.with(saw(status.point()), hotplugs());
  }

  private int hotplugs() {
    return (int) Math.min(Integer.MAX_VALUE, hotplugsBefore + hotplugsTold);
  }

  /** The device is gone: a flip that waits is not shown any more. */
  void interrupt() {
    if (reached < asked) {
      reached = asked;
      interrupted.addLast(asked);
      if (interrupted.size() > HeadState.REMEMBERED) {
        interrupted.removeFirst();
      }
    }
    hotplugsBefore += hotplugsTold;
    hotplugsTold = 0;
  }

  /** The next device is there, with or without a screen. */
  void found(boolean plugged) {
    if (connected.isPresent() && connected.get() != plugged) {
      hotplugsBefore++;
    }
    connected = Optional.of(plugged);
  }

  /** The next device took the flip that shows what was shown. */
  void reflipped(long point) {
    told = point;
  }

  /** How a flip ended, as {@link ScreenAwaiting} returns it; empty while it waits. */
  OptionalInt outcome(long point) {
    if (point <= 0 || point > asked) {
      return OptionalInt.of(-Errno.EINVAL);
    }
    if (point > reached) {
      return OptionalInt.empty();
    }
    return OptionalInt.of(interrupted.contains(point) ? -Errno.EINTR : 0);
  }
}
