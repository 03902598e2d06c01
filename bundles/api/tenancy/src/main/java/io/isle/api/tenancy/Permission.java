package io.isle.api.tenancy;

import java.util.Locale;
import java.util.Optional;

/**
 * Rights on accelerators (accelerator framework, 44.1), rings, nets and programmable network
 * interfaces, with their numbers.
 */
public enum Permission {
  /** Submit work. */
  ACCEL_COMPUTE(0x0100),
  /** Allocate device memory. */
  ACCEL_MEMORY(0x0101),
  /** Move data between devices. */
  ACCEL_P2P(0x0102),
  /** Preempt other contexts; run without an execution limit. */
  ACCEL_PREEMPT(0x0103),
  /** Read performance counters. */
  ACCEL_PERF(0x0104),
  /** Change power and clocks. */
  ACCEL_POWER(0x0105),
  /**
   * Open contexts of realtime priority, and contexts with a guarantee of their own outside of any
   * group's guarantee.
   */
  ACCEL_CONTEXT_RT(0x0106),
  /** Read and control screens. Not a permission of the framework, which has none for displays. */
  ACCEL_DISPLAY(0x0107),
  /** Open the endpoint of a master of a ring. Not a permission of the framework either. */
  FABRIC_RING(0x0120),
  /** Take and send frames of a net as an app. Not a permission of the framework either. */
  NET_ATTACH(0x0200),
  /** Read all frames of a net, in both directions. Not a permission of the framework either. */
  NET_CAPTURE(0x0201),
  /**
   * Attach handlers to the packets of a programmable network interface, and send any frame there.
   * Not a permission of the framework either.
   */
  SPIN_ATTACH(0x0300);

  private final int id;

  Permission(int id) {
    this.id = id;
  }

  /** The number of the permission. */
  public int id() {
    return id;
  }

  /** Lower case, as in commands and JSON. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The permission with this number, if any. */
  public static Optional<Permission> of(int id) {
    for (Permission value : values()) {
      if (value.id == id) {
        return Optional.of(value);
      }
    }
    return Optional.empty();
  }
}
