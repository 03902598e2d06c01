package io.isle.api.driver;

/** Performance levels, with the numbers of the driver ABI: 0 to 3 in this order. */
public enum PerformanceLevel {
  /** The device chooses its clock. */
  AUTO,
  /** Low clock and low power. */
  LOW,
  /** Medium clock. */
  BALANCED,
  /** Highest clock. */
  HIGH
}
