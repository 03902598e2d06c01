package io.isle.core.drivers.nativecode.host;

/**
 * The submissions that a host was given and has not completed yet, also those that the core has
 * given up meanwhile, whose index others have taken since: so a late completion is told from one of
 * what the host never had, or completed before. Of each index the last 64 are known, which are more
 * than a host that works can owe. The agent's thread only; allocates nothing.
 */
final class HostTags {
  private static final int KNOWN = Long.SIZE;

  /** By index, the newest submission's generation. */
  private final int[] newest;

  /** By index, a bit for each generation that is owed; bit 0 is the newest. */
  private final long[] owed;

  /**
   * @param capacity tags' index is below this
   */
  HostTags(int capacity) {
    newest = new int[capacity];
    owed = new long[capacity];
  }

  /** The host was given a submission, whose generation is above those before of its index. */
  void given(long tag) {
    int index = (int) tag;
    int generation = generation(tag);
    int age = generation - newest[index];
    owed[index] = (age > 0 && age < KNOWN ? owed[index] << age : 0) | 1;
    newest[index] = generation;
  }

  /** The host completed a tag, whatever it is; whether it owed that, which it does no more. */
  boolean ended(long tag) {
    int index = (int) tag;
    if (index < 0 || index >= newest.length) {
      return false;
    }
    int age = newest[index] - generation(tag);
    if (age < 0 || age >= KNOWN) {
      return false;
    }
    boolean had = (owed[index] >> age & 1) != 0;
    owed[index] &= ~(1L << age);
    return had;
  }

  private static int generation(long tag) {
    return (int) (tag >> 32);
  }
}
