package io.isle.core.display.state;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One connector at a moment. Immutable.
 *
 * @param asked newest point of a flip
 * @param reached newest point that is shown
 * @param interrupted points of flips that recoveries kept from being shown, oldest first
 * @param told the device's point of the newest flip
 * @param hotplugsBefore of openings that are over
 * @param hotplugsTold of the present one
 * @param connected as a device said last; empty before
 */
public record HeadState(
    ScreenState screen,
    long asked,
    long reached,
    List<Long> interrupted,
    long told,
    long hotplugsBefore,
    int hotplugsTold,
    Optional<Boolean> connected) {
  /** Most flips of which is remembered that they were interrupted. */
  public static final int REMEMBERED = 64;

  public HeadState {
    interrupted = List.copyOf(interrupted);
  }

  /** The same, with nothing on the screen but one of these. */
  public HeadState showing(Set<Frame> left) {
    return new HeadState(
        screen.showing(screen.shown().filter(left::contains)),
        asked,
        reached,
        interrupted,
        told,
        hotplugsBefore,
        hotplugsTold,
        connected);
  }
}
