package io.isle.core.accel.settings;

/**
 * What the administrator allows.
 *
 * @param maxInFlight most submissions on one device at a time, 1 to 1024
 * @param controlTimeoutMs longest time of one control call of a driver
 * @param hangGraceMs longest time until work that was told to stop has stopped
 * @param detachGraceMs longest time that contexts wait for the owner of drivers to come back
 * @param callbackWarnMs longest time that a listener may hold up completions before that is logged;
 *     0 for any
 */
public record AccelLimits(
    int maxInFlight,
    long controlTimeoutMs,
    long hangGraceMs,
    long detachGraceMs,
    long callbackWarnMs) {
  public static final AccelLimits DEFAULT = new AccelLimits(64, 5000, 250, 10_000, 10);
}
