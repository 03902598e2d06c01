package io.isle.apps.chaos.plan;

/**
 * One fault of a schedule.
 *
 * @param number from 1
 * @param atMs when, milliseconds from the start of the run
 * @param target id of the device, or symbolic name of the bundle
 * @param choice what the kind leaves open: the tier to move to; for others 0 to 999, such as how
 *     long a device stays suspended
 */
public record Step(int number, long atMs, FaultKind kind, String target, int choice) {
  /** As problems name it. */
  @Override
  public String toString() {
    return "step " + number + " (" + kind.text() + " " + target + ")";
  }
}
