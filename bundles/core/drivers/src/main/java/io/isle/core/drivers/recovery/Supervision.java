package io.isle.core.drivers.recovery;

import io.isle.api.device.DeviceState;
import io.isle.api.device.RecoveryCause;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.random.RandomGenerator;

/**
 * What to do about a device: a state machine without threads, clock or effects (accelerator
 * framework, 42.3.2). Recoveries that succeed are never held against a device; attempts that fail
 * one after the other are tried again with growing, jittered delays and end in FAILED; breaches of
 * the protocol are counted over a window, whatever became of them, and end in QUARANTINED.
 */
public final class Supervision {
  /**
   * Bounds.
   *
   * @param attempts failed openings in a row that make a device FAILED, at least 1
   * @param firstDelay longest delay after the first failed attempt; doubles with each
   * @param longestDelay bound of that
   * @param breaches of the protocol within the window that make it QUARANTINED, at least 1
   */
  public record Limits(
      int attempts, Duration firstDelay, Duration longestDelay, int breaches, Duration window) {}

  /** What the owner of the device does next. */
  public sealed interface Next {
    /** Opens the device, now if the delay is 0. */
    record Open(long delayNs) implements Next {}

    /** Gives the device up: it is FAILED or QUARANTINED. */
    record GiveUp() implements Next {}
  }

  private final RandomGenerator jitter;
  private final Deque<Long> breaches = new ArrayDeque<>();
  private Limits limits;
  private DeviceState state = DeviceState.FAILED;
  private boolean suspended;
  private int failures;

  public Supervision(Limits limits, RandomGenerator jitter) {
    this.limits = limits;
    this.jitter = jitter;
  }

  public void limits(Limits now) {
    limits = now;
  }

  public DeviceState state() {
    return state;
  }

  /** Whether the device is to be SUSPENDED when it is open. */
  public boolean suspended() {
    return suspended;
  }

  /** Failed attempts since it was last open. */
  int failures() {
    return failures;
  }

  /**
   * It is to be opened from now on, or anew: on a request, or because its driver or the port came.
   *
   * @param forgiven forgets breaches of the protocol too
   */
  public void begin(boolean forgiven) {
    failures = 0;
    state = DeviceState.RECOVERING;
    if (forgiven) {
      breaches.clear();
    }
  }

  /** An attempt succeeded. */
  public void opened() {
    failures = 0;
    state = suspended ? DeviceState.SUSPENDED : DeviceState.ACTIVE;
  }

  /** The open device was lost. */
  public Next lost(long nowNs, RecoveryCause cause) {
    if (breached(nowNs, cause)) {
      return giveUp(DeviceState.QUARANTINED);
    }
    state = DeviceState.RECOVERING;
    return new Next.Open(0);
  }

  /**
   * An attempt to open it failed.
   *
   * @param lasting trying again is of no use: the driver itself said no to what an administrator
   *     asked for
   */
  public Next attemptFailed(long nowNs, RecoveryCause cause, boolean lasting) {
    failures++;
    if (breached(nowNs, cause)) {
      return giveUp(DeviceState.QUARANTINED);
    }
    if (lasting || failures >= limits.attempts) {
      return giveUp(DeviceState.FAILED);
    }
    state = DeviceState.RECOVERING;
    return new Next.Open(delay());
  }

  /** It is not to be open: DISABLED on request, FAILED while something that it needs is missing. */
  public void closed(DeviceState why) {
    failures = 0;
    state = why;
    suspended &= why != DeviceState.DISABLED;
  }

  public void suspend() {
    suspended = true;
    if (state == DeviceState.ACTIVE) {
      state = DeviceState.SUSPENDED;
    }
  }

  public void resume() {
    suspended = false;
    if (state == DeviceState.SUSPENDED) {
      state = DeviceState.ACTIVE;
    }
  }

  private Next giveUp(DeviceState end) {
    state = end;
    return new Next.GiveUp();
  }

  private boolean breached(long nowNs, RecoveryCause cause) {
    while (!breaches.isEmpty() && nowNs - breaches.peekFirst() > limits.window.toNanos()) {
      breaches.removeFirst();
    }
    if (cause.kind() != RecoveryCause.Kind.PROTOCOL) {
      return false;
    }
    breaches.addLast(nowNs);
    return breaches.size() >= limits.breaches;
  }

  /** Between half of the step and all of it, so that devices that fail together part. */
  private long delay() {
    long step = limits.firstDelay.toNanos();
    for (int i = 1; i < failures && step < limits.longestDelay.toNanos(); i++) {
      step *= 2;
    }
    step = Math.max(2, Math.min(step, limits.longestDelay.toNanos()));
    return step / 2 + jitter.nextLong(step / 2 + 1);
  }
}
