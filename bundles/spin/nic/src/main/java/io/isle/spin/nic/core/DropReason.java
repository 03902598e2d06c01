package io.isle.spin.nic.core;

/** Why a packet that matches is not taken. */
public enum DropReason {
  /** The packet is longer than a large slot. */
  LENGTH,
  /** The context holds its part of the slots, or all slots are in use. */
  SLOTS,
  /** The context recovers. */
  RECOVERY
}
