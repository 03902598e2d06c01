package io.isle.core.accel;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import java.util.List;
import java.util.Optional;

/**
 * Which device is in a place: the one that is open, the one that was there last while the next is
 * awaited, or none. Thread-safe.
 */
final class Occupancy {
  private static final String NEVER_OPENED = "it was not opened yet";

  private final String deviceId;
  private volatile OpenDevice open;
  private volatile OpenDevice known;

  /** Names of built-in programs, as the device said last. */
  private volatile List<String> builtins = List.of();

  private volatile boolean recovering;
  private volatile String lostWhy = NEVER_OPENED;

  Occupancy(String deviceId) {
    this.deviceId = deviceId;
  }

  /** Takes the device out, and waits for the next; null if there was none. */
  synchronized OpenDevice take() {
    OpenDevice taken = open;
    open = null;
    recovering = true;
    return taken;
  }

  /** Before a device can be used: what it has, if it is the first. */
  void learn(OpenDevice opened) {
    if (known == null) {
      builtins = opened.lane().call("builtins", opened::builtins);
    }
  }

  /** The device is in. */
  synchronized void put(OpenDevice opened) {
    boolean first = known == null;
    open = opened;
    known = opened;
    recovering = false;
    if (!first) {
      // the next driver may have other programs, but nobody waits for the list
      opened.lane().post("builtins", () -> builtins = opened.builtins(), failure -> {});
    }
  }

  /** No device follows. */
  synchronized void lose(String why) {
    lostWhy = why;
    recovering = false;
  }

  /** Runs {@code action} if {@code device} is still the open one, before it can be taken away. */
  synchronized boolean whileOpen(OpenDevice device, Runnable action) {
    if (open != device) {
      return false;
    }
    action.run();
    return true;
  }

  /**
   * The open device.
   *
   * @throws AccelException ENODEV; EINTR while it recovers
   */
  OpenDevice device() {
    OpenDevice now = open;
    if (now != null) {
      return now;
    }
    if (isRecovering()) {
      throw new AccelException(Errno.EINTR, deviceId + " recovers; try again in a moment");
    }
    throw notOpen();
  }

  /**
   * The open device, or the one before while the place recovers.
   *
   * @throws AccelException ENODEV
   */
  OpenDevice knownDevice() {
    OpenDevice last = known;
    if (last == null || open == null && !recovering) {
      throw notOpen();
    }
    return last;
  }

  private AccelException notOpen() {
    return new AccelException(
        Errno.ENODEV, deviceId + " is not open; see device:info " + deviceId + " for the reason");
  }

  /** Whether the open device can still do work. */
  boolean isAlive() {
    OpenDevice now = open;
    return now != null && now.device().alive();
  }

  boolean isOnline() {
    return open != null;
  }

  boolean isRecovering() {
    return recovering && known != null;
  }

  /** Of the opening that tenants use now. */
  Optional<Integer> epoch() {
    return Optional.ofNullable(open).map(OpenDevice::epoch);
  }

  List<String> builtins() {
    return builtins;
  }

  /** Why it is not open. */
  String lostWhy() {
    return lostWhy;
  }
}
