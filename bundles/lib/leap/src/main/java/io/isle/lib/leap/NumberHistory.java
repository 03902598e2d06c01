package io.isle.lib.leap;

/** Of the last {@link Reassembly#NEAR} numbers: when they were seen last, and losses. */
final class NumberHistory {
  private static final int MASK = Reassembly.NEAR - 1;

  private final long[] seen = new long[Reassembly.NEAR];
  private final int[] sequence = new int[Reassembly.NEAR];
  private final int[] arrived = new int[Reassembly.NEAR];
  private final int[] total = new int[Reassembly.NEAR];

  void delivered(long number, long at) {
    seen[slot(number)] = at;
  }

  void lost(long number, int sequence, int arrived, int total, long at) {
    int slot = slot(number);
    seen[slot] = at;
    this.sequence[slot] = sequence;
    this.arrived[slot] = arrived;
    this.total[slot] = total;
  }

  long seen(long number) {
    return seen[slot(number)];
  }

  int sequence(long number) {
    return sequence[slot(number)];
  }

  int arrived(long number) {
    return arrived[slot(number)];
  }

  int total(long number) {
    return total[slot(number)];
  }

  private static int slot(long number) {
    return (int) number & MASK;
  }
}
