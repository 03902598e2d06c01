package io.isle.spin.nic.plan;

import io.isle.api.base.Errno;
import io.isle.api.spin.Rulesets;
import io.isle.api.spin.SpinException;

/**
 * Sizes of a network interface. Immutable.
 *
 * @param clusters of HPUs, 1 to 16
 * @param hpus of a cluster, 1 to 16
 * @param smallSlots slots for packets of at most {@link #SMALL_BYTES}
 * @param largeSlots slots for packets of at most {@link #LARGE_BYTES}, 4 or more
 */
public record NicLimits(int clusters, int hpus, int smallSlots, int largeSlots) {
  /** Bytes of a small slot. */
  public static final int SMALL_BYTES = 128;

  /** Bytes of a large slot, and of the longest packet. */
  public static final int LARGE_BYTES = 1536;

  /** Queues of messages of a context. */
  public static final int QUEUES = 16;

  /** Tasks that wait at a cluster before others take the next ones. */
  public static final int CLUSTER_DEPTH = 12;

  private static final int MOST_SLOTS = 1 << 16;
  private static final int MOST_HPUS = 16;

  /** Those of FPsPIN: 2 clusters of 8 HPUs, a packet memory of 512 KiB. */
  public static final NicLimits FPSPIN = new NicLimits(2, 8, 1024, 256);

  /** Checks all limits. */
  public NicLimits {
    check("clusters", clusters, 1, MOST_HPUS);
    check("hpus", hpus, 1, MOST_HPUS);
    check("smallSlots", smallSlots, 0, MOST_SLOTS);
    check("largeSlots", largeSlots, Rulesets.SLOTS, MOST_SLOTS);
  }

  /** Slots of both sizes. */
  public int slots() {
    return smallSlots + largeSlots;
  }

  /** Where a slot begins in the packet memory of its context: the small ones come first. */
  public long offset(int slot) {
    return slot < smallSlots
        ? (long) slot * SMALL_BYTES
        : (long) smallSlots * SMALL_BYTES + (long) (slot - smallSlots) * LARGE_BYTES;
  }

  /** Bytes of the packet memory of a context. */
  public long packetBytes() {
    return offset(slots());
  }

  private static void check(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new SpinException(
          Errno.EINVAL, name + " " + value + " is not in " + least + ".." + most);
    }
  }
}
