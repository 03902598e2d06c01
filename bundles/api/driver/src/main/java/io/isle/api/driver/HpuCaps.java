package io.isle.api.driver;

/**
 * What the HPUs of a context can have: their numbers, and the device's settings.
 *
 * @param version of the memory that NIC and HPUs share (isle_spin.h)
 * @param clusters number of clusters
 * @param cores HPUs of a cluster
 * @param queues queues of messages
 * @param programBytes largest memory of a program
 * @param frameBytes longest frame
 * @param megahertz frequency of the clock that handlers read
 * @param limits the highest handler limit and wait for the host; defaults for the others
 */
public record HpuCaps(
    int version,
    int clusters,
    int cores,
    int queues,
    long programBytes,
    int frameBytes,
    int megahertz,
    HpuLimits limits) {
  /** Number of HPUs of a context. */
  public int hpus() {
    return clusters * cores;
  }
}
