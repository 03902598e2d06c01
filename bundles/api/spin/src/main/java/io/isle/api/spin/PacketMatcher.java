package io.isle.api.spin;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides which ruleset a packet matches. The matcher sees the first {@link #SEEN_BYTES} bytes;
 * behind these, and behind the end of the packet, it sees zeros. Allocates nothing. Immutable.
 */
public final class PacketMatcher {
  /** Bytes of a packet that rules see. */
  public static final int SEEN_BYTES = 66;

  /** The packet matches no ruleset. */
  public static final int NONE = -1;

  private static final int END = 0x100;
  private static final int RULE = 2;
  private static final int SLOT = RULE * (Ruleset.RULES + 1);
  private static final int ID_OFFSET = 44;
  private static final long UNSIGNED = 0xFFFF_FFFFL;
  private static final ValueLayout.OfInt BIG =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt LITTLE =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /**
   * Two numbers of 64 bits for each rule, four rules for each slot, the last for the end: mask and
   * offset of the word; start, and end - start.
   */
  private final long[] rules;

  /** 1 for a slot whose rules have to hold all, else 0. */
  private final int[] and;

  private final int needed;

  /** A matcher of these rulesets, in the order of their slots. */
  public PacketMatcher(Rulesets rulesets) {
    int slots = rulesets.all().size();
    rules = new long[slots * SLOT];
    and = new int[slots];
    int last = 0;
    for (int slot = 0; slot < slots; slot++) {
      Ruleset ruleset = rulesets.all().get(slot);
      and[slot] = ruleset.mode() == MatchMode.AND ? 1 : 0;
      List<MatchRule> all = new ArrayList<>(ruleset.rules());
      all.add(ruleset.endOfMessage());
      for (int i = 0; i < all.size(); i++) {
        put(slot * SLOT + i * RULE, all.get(i));
        last = Math.max(last, all.get(i).index());
      }
    }
    needed = (last + 1) * Integer.BYTES;
  }

  private void put(int at, MatchRule rule) {
    // a start that is above its end has no difference that an unsigned number has
    MatchRule one = rule.isFalse() ? MatchRule.FALSE : rule;
    int range = rule.isFalse() ? 0 : one.end() - one.start();
    rules[at] = (long) one.mask() << Integer.SIZE | one.index() * Integer.BYTES;
    rules[at + 1] = (long) one.start() << Integer.SIZE | range & UNSIGNED;
  }

  /**
   * The ruleset of a packet.
   *
   * @param memory of which nothing but the packet is read
   * @param length bytes of the packet, 0 or more
   * @return {@link #NONE}, or a number for {@link #slot} and {@link #endsMessage}
   */
  public int match(MemorySegment memory, long offset, int length) {
    int seen = Math.min(length, SEEN_BYTES);
    int last = and.length - 1;
    for (int slot = 0; slot < last; slot++) {
      int match = match(slot, memory, offset, seen);
      if (match != NONE) {
        return match;
      }
    }
    return match(last, memory, offset, seen);
  }

  private int match(int slot, MemorySegment memory, long offset, int seen) {
    return needed <= seen ? whole(slot, memory, offset) : cut(slot, memory, offset, seen);
  }

  /** Where all words are seen. Without branches, as which rules hold is hard to predict. */
  private int whole(int slot, MemorySegment memory, long offset) {
    int at = slot * SLOT;
    int first = fails(at, memory.get(BIG, offset + (int) rules[at]));
    int second = fails(at + RULE, memory.get(BIG, offset + (int) rules[at + RULE]));
    int third = fails(at + 2 * RULE, memory.get(BIG, offset + (int) rules[at + 2 * RULE]));
    int goesOn = fails(at + 3 * RULE, memory.get(BIG, offset + (int) rules[at + 3 * RULE]));
    return result(slot, first, second, third, goesOn);
  }

  private int cut(int slot, MemorySegment memory, long offset, int seen) {
    int at = slot * SLOT;
    int first = fails(at, word(memory, offset, seen, (int) rules[at]));
    int second = fails(at + RULE, word(memory, offset, seen, (int) rules[at + RULE]));
    int third = fails(at + 2 * RULE, word(memory, offset, seen, (int) rules[at + 2 * RULE]));
    int goesOn = fails(at + 3 * RULE, word(memory, offset, seen, (int) rules[at + 3 * RULE]));
    return result(slot, first, second, third, goesOn);
  }

  private int result(int slot, int first, int second, int third, int goesOn) {
    int some = first | second | third;
    int all = first & second & third;
    // NONE has all bits
    return slot | END & goesOn - 1 | -(some & and[slot] | all & ~and[slot]);
  }

  /** 0 if the rule holds for its word, else 1. */
  private int fails(int at, int word) {
    long between = rules[at + 1];
    int above = (word & (int) (rules[at] >>> Integer.SIZE)) - (int) (between >>> Integer.SIZE);
    return (int) ((between & UNSIGNED) - (above & UNSIGNED) >>> 63);
  }

  /** The slot of a match. */
  public static int slot(int match) {
    return match & ~END;
  }

  /** Whether the packet of a match ends its message. */
  public static boolean endsMessage(int match) {
    return (match & END) != 0;
  }

  /** The id of a packet's message; 0 where the packet has fewer than 48 bytes. */
  public static int message(MemorySegment memory, long offset, int length) {
    return length < ID_OFFSET + Integer.BYTES ? 0 : memory.get(LITTLE, offset + ID_OFFSET);
  }

  private static int word(MemorySegment memory, long offset, int seen, int at) {
    if (at + Integer.BYTES <= seen) {
      return memory.get(BIG, offset + at);
    }
    int word = 0;
    for (int i = at; i < seen; i++) {
      word |= (memory.get(ValueLayout.JAVA_BYTE, offset + i) & 0xFF) << 24 - 8 * (i - at);
    }
    return word;
  }
}
