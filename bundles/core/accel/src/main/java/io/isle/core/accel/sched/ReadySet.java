package io.isle.core.accel.sched;

/** A set of contexts that are served in turn: two levels of bits, up to 4096 contexts. */
final class ReadySet {
  /** One bit a word. */
  private long summary;

  private final long[] words;

  /** Where the next turn begins. */
  private int cursor;

  ReadySet(int contexts) {
    words = new long[(contexts + 63) >>> 6];
  }

  boolean isEmpty() {
    return summary == 0;
  }

  /** Whether there is just one. */
  boolean isSingle() {
    return Long.bitCount(summary) == 1
        && Long.bitCount(words[Long.numberOfTrailingZeros(summary)]) == 1;
  }

  void add(int context) {
    words[context >>> 6] |= 1L << context;
    summary |= 1L << (context >>> 6);
  }

  void remove(int context) {
    int word = context >>> 6;
    words[word] &= ~(1L << context);
    if (words[word] == 0) {
      summary &= ~(1L << word);
    }
  }

  /** The context whose turn it is; there must be one. */
  int next() {
    int word = cursor >>> 6;
    if (word < words.length) {
      long rest = words[word] & (-1L << cursor);
      if (rest != 0) {
        return (word << 6) + Long.numberOfTrailingZeros(rest);
      }
    }
    long behind = word < 63 ? summary & (-1L << (word + 1)) : 0;
    int found = Long.numberOfTrailingZeros(behind != 0 ? behind : summary);
    return (found << 6) + Long.numberOfTrailingZeros(words[found]);
  }

  /** The context has had its turn. */
  void served(int context) {
    cursor = context + 1;
  }

  /** Where the next turn begins. */
  int cursor() {
    return cursor;
  }

  void clear() {
    java.util.Arrays.fill(words, 0);
    summary = 0;
  }
}
