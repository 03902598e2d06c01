package io.isle.core.accel.device;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.device.DeviceState;
import java.util.List;
import java.util.Optional;

/**
 * The opening that a managed device has now: the open one, the last one while the next is awaited,
 * or none. Thread-safe.
 */
public final class CurrentOpening {
  private static final String NEVER_OPENED = "the device was not opened yet";

  private final String deviceId;
  private volatile State state = new State(null, null, false);

  /** Names of built-in programs, as the device said last. */
  private volatile List<String> builtins = List.of();

  private volatile String lostWhy = NEVER_OPENED;

  /**
   * All of it in one word, so that no reader sees a device between two others as lost.
   *
   * @param open the device that can be used; null while there is none
   * @param known the last that could; null before the first
   * @param awaited whether another is to come
   */
  private record State(OpenDevice open, OpenDevice known, boolean awaited) {
    boolean recovering() {
      return open == null && awaited && known != null;
    }
  }

  public CurrentOpening(String deviceId) {
    this.deviceId = deviceId;
  }

  /** Takes the device out, and waits for the next; null if there was none. */
  public synchronized OpenDevice take() {
    OpenDevice taken = state.open;
    state = new State(null, state.known, true);
    return taken;
  }

  /** Before a device can be used: what it has, if it is the first. */
  public void learn(OpenDevice opened) {
    if (state.known == null) {
      builtins = opened.lane().call("builtins", opened::builtins);
    }
  }

  /** The device is in. */
  public synchronized void put(OpenDevice opened) {
    boolean first = state.known == null;
    state = new State(opened, opened, false);
    if (!first) {
      // the next driver may have other programs, but nobody waits for the list
      opened.lane().post("builtins", () -> builtins = opened.builtins(), failure -> {});
    }
  }

  /** No device follows. */
  public synchronized void lose(String why) {
    lostWhy = why;
    state = new State(state.open, state.known, false);
  }

  /** Runs {@code action} if {@code device} is still the open one, before it can be taken away. */
  public synchronized boolean whileOpen(OpenDevice device, Runnable action) {
    if (state.open != device) {
      return false;
    }
    action.run();
    return true;
  }

  /** Runs {@code action} while nothing runs in {@link #whileOpen}. */
  public synchronized void excluding(Runnable action) {
    action.run();
  }

  /**
   * The open device.
   *
   * @throws AccelException ENODEV; EINTR while it recovers
   */
  public OpenDevice device() {
    State now = state;
    if (now.open != null) {
      return now.open;
    }
    if (now.recovering()) {
      throw new AccelException(Errno.EINTR, deviceId + " recovers; try again in a moment");
    }
    throw notOpen();
  }

  /**
   * The open device, or the one before while the device recovers.
   *
   * @throws AccelException ENODEV
   */
  public OpenDevice knownDevice() {
    State now = state;
    if (now.open == null && !now.recovering()) {
      throw notOpen();
    }
    return now.known;
  }

  private AccelException notOpen() {
    return new AccelException(
        Errno.ENODEV, deviceId + " is not open; see device:info " + deviceId + " for the reason");
  }

  /** Whether the open device can still do work. */
  public boolean isAlive() {
    OpenDevice now = state.open;
    return now != null && now.device().alive();
  }

  public boolean isOnline() {
    return state.open != null;
  }

  /** ACTIVE, RECOVERING or FAILED. */
  public DeviceState state() {
    State now = state;
    return now.open != null
        ? DeviceState.ACTIVE
        : now.recovering() ? DeviceState.RECOVERING : DeviceState.FAILED;
  }

  /** Of the opening that tenants use now. */
  public Optional<Integer> epoch() {
    return Optional.ofNullable(state.open).map(OpenDevice::epoch);
  }

  public List<String> builtins() {
    return builtins;
  }

  /** Why it is not open. */
  public String lostWhy() {
    return lostWhy;
  }
}
