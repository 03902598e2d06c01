package io.isle.core.display.state;

/**
 * What ids and epochs mean: each is good as long as who issued it runs. Numbers are those of
 * services, which no other service of the same framework ever has; 0 while one is away. Immutable.
 *
 * @param framework the run of the platform
 * @param memory who issues ids of memory
 * @param drivers who opens devices
 * @param devices who keeps epochs
 */
public record Lineage(String framework, long memory, long drivers, long devices) {
  boolean sameMemory(Lineage other) {
    return memory != 0 && memory == other.memory;
  }

  boolean sameEpochs(Lineage other) {
    return drivers != 0 && drivers == other.drivers && devices != 0 && devices == other.devices;
  }
}
