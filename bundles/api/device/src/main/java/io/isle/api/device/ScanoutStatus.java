package io.isle.api.device;

import java.util.Optional;

/**
 * What a connector sends to its screen. Times are CLOCK_MONOTONIC nanoseconds.
 *
 * @param point of the newest flip that is shown; 0 before the first
 * @param flipNs when the frame of that flip began
 * @param frames frames begun since the device was opened
 * @param frameNs when the newest began
 * @param nextNs when the next one begins unless something is changed; 0 while there are none
 * @param mode the mode that is set
 * @param vrrMinMillihertz the screen's range of refresh rates; 0 for fixed rates only
 * @param hotplugs times that a screen came or went since the device was opened
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
  /** The same with other counts. */
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
