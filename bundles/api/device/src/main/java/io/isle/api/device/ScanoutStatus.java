package io.isle.api.device;

import java.util.Optional;

/**
 * The output of a connector to its screen. Times are CLOCK_MONOTONIC nanoseconds. Immutable.
 *
 * @param point newest shown flip; 0 before the first flip
 * @param flipNs begin of the frame of this flip
 * @param frames frames since the opening of the device
 * @param frameNs begin of the newest frame
 * @param nextNs begin of the next frame without a change of the settings; 0 without frames
 * @param mode the set mode, if any
 * @param dpms power state of the screen
 * @param vrrMinMillihertz lowest refresh rate of the screen in mHz; 0 for fixed rates only
 * @param vrrMaxMillihertz highest refresh rate of the screen in mHz; 0 for fixed rates only
 * @param hotplugs number of times since the opening of the device that a screen was plugged in or
 *     unplugged
 * @param connected whether a screen is plugged in
 * @param vrr whether variable refresh is on
 * @param cursor whether the cursor is visible
 * @param pending whether a flip waits for its frame
 */
public record ScanoutStatus(
    long point,
    long flipNs,
    long frames,
    long frameNs,
    long nextNs,
    Optional<DisplayMode> mode,
    DpmsState dpms,
    int vrrMinMillihertz,
    int vrrMaxMillihertz,
    int hotplugs,
    boolean connected,
    boolean vrr,
    boolean cursor,
    boolean pending) {
  /** A copy with another point and another count of hotplugs. */
  public ScanoutStatus with(long newPoint, int newHotplugs) {
    return new ScanoutStatus(
        newPoint,
        flipNs,
        frames,
        frameNs,
        nextNs,
        mode,
        dpms,
        vrrMinMillihertz,
        vrrMaxMillihertz,
        newHotplugs,
        connected,
        vrr,
        cursor,
        pending);
  }
}
