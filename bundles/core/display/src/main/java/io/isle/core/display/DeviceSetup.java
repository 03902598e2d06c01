package io.isle.core.display;

import io.isle.api.base.Errno;
import io.isle.api.driver.DeviceSession;
import io.isle.api.driver.DriverException;
import io.isle.core.display.state.DeviceState;
import io.isle.core.display.state.Frame;
import io.isle.core.display.state.HeadState;
import io.isle.core.display.state.ScreenState;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Brings what is kept of a device's screens to each of its openings, and over a restart of the
 * bundle. Thread-safe.
 */
final class DeviceSetup {
  private final String deviceId;
  private final PinnedMemory memory;
  private final Opening opening;
  private final DeviceFrames frames;
  private final DeviceScreens screens;

  /** Held while an opening is set up, which takes calls of its driver. */
  private final ReentrantLock working = new ReentrantLock();

  /** The opening that has all of it already; empty when none has. Guarded by the lock. */
  private OptionalInt restored = OptionalInt.empty();

  DeviceSetup(
      String deviceId,
      PinnedMemory memory,
      Opening opening,
      DeviceFrames frames,
      DeviceScreens screens) {
    this.deviceId = deviceId;
    this.memory = memory;
    this.opening = opening;
    this.frames = frames;
    this.screens = screens;
  }

  /** The device is taken away: a flip that waits is not shown any more. */
  void end() {
    opening.end();
    Map<Integer, ScreenState> ignored = screens.interrupt();
  }

  /**
   * What was set and shown comes to an opening; nothing if it has that.
   *
   * @throws DriverException when the device fails, or was taken away
   */
  void rebuild(DeviceSession session) {
    working.lock();
    try {
      if (opening.has(session)) {
        return;
      }
      // it must not take the place of the next, which may be set up already
      if (!session.alive()) {
        throw new DriverException(
            Errno.EINTR, deviceId + " was closed before its display was set up");
      }
      opening.begin(session);
      OptionalInt before = restored;
      restored = OptionalInt.empty();
      // without an owner of memory there is none: its contexts went with it
      frames.prune(frame -> !memory.has(frame));
      if (before.isEmpty() || before.getAsInt() != session.epoch()) {
        make(session);
      }
      opening.finish(session);
    } finally {
      working.unlock();
    }
  }

  private void make(DeviceSession session) {
    Map<Integer, ScreenState> states = screens.interrupt();
    List<Frame> all = frames.list();
    if (!states.isEmpty() || !all.isEmpty()) {
      DisplayRebuild.Outcome outcome =
          new DisplayRebuild(deviceId, session, memory).rebuild(all, states);
      outcome.refused().forEach(frames::drop);
      screens.rebuilt(outcome);
    }
  }

  /** Tenants use an opening from now on; it is set up if nobody has yet. */
  void use(DeviceSession session) {
    if (!opening.use(session) && session.alive()) {
      rebuild(session);
      boolean ignored = opening.use(session);
    }
  }

  /** Goes on with what was kept when the bundle stopped; before anything else. */
  void restore(DeviceState before) {
    working.lock();
    try {
      Set<Frame> kept = new HashSet<>();
      for (Frame frame : before.frames()) {
        if (frames.restore(frame)) {
          kept.add(frame);
        }
      }
      screens.restore(showing(before.heads(), kept));
      restored = before.epoch();
    } finally {
      working.unlock();
    }
  }

  /**
   * What is kept, once nothing changes it any more.
   *
   * @param issuer the owner of memory, whose ids alone are good
   */
  DeviceState snapshot(long issuer) {
    working.lock();
    try {
      List<Frame> kept = frames.list().stream().filter(f -> f.issuer() == issuer).toList();
      OptionalInt epoch = opening.epoch();
      return new DeviceState(
          epoch.isPresent() ? epoch : restored,
          kept,
          showing(screens.snapshot(), new HashSet<>(kept)));
    } finally {
      working.unlock();
    }
  }

  private static Map<Integer, HeadState> showing(Map<Integer, HeadState> heads, Set<Frame> kept) {
    Map<Integer, HeadState> all = new TreeMap<>();
    heads.forEach((connector, head) -> all.put(connector, head.showing(kept)));
    return all;
  }
}
