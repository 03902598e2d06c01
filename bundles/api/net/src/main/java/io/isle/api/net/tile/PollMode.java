package io.isle.api.net.tile;

/** Who makes the driver receive. */
public enum PollMode {
  /** Interrupts of the device; the tile wakes the kernel only when asked to. */
  SOFTIRQ,
  /** The tile itself, by calls now and then (preferred busy polling). */
  PREFBUSY
}
