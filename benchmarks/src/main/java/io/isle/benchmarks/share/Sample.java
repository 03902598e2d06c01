package io.isle.benchmarks.share;

/**
 * @param atNs as {@link System#nanoTime}
 * @param cpuNs CPU time used until then
 */
record Sample(long atNs, long cpuNs) {
  /** Part of the time since {@code before} in which the CPU was used, 0 to 1 a compute unit. */
  double share(Sample before) {
    return (double) (cpuNs - before.cpuNs) / (atNs - before.atNs);
  }

  /** At a time since {@code before}, if it was used evenly. */
  Sample back(Sample before, long at) {
    double part = (double) (at - before.atNs) / (atNs - before.atNs);
    return new Sample(at, before.cpuNs + Math.round(part * (cpuNs - before.cpuNs)));
  }
}
