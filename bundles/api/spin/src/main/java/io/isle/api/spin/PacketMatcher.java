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
  private static final int ID_OFFSET = 44;
  private static final ValueLayout.OfInt BIG =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt LITTLE =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final boolean[] and;
  private final MatchRule[][] rules;
  private final MatchRule[] ends;

  /** A matcher of these rulesets, in the order of their slots. */
  public PacketMatcher(Rulesets rulesets) {
    int slots = rulesets.all().size();
    and = new boolean[slots];
    rules = new MatchRule[slots][];
    ends = new MatchRule[slots];
    for (int slot = 0; slot < slots; slot++) {
      Ruleset ruleset = rulesets.all().get(slot);
      and[slot] = ruleset.mode() == MatchMode.AND;
      List<MatchRule> some = new ArrayList<>(ruleset.rules());
      some.removeIf(ruleset.mode().neutral()::equals);
      rules[slot] = some.toArray(MatchRule[]::new);
      ends[slot] = ruleset.endOfMessage();
    }
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
    for (int slot = 0; slot < rules.length; slot++) {
      if (matches(slot, memory, offset, seen)) {
        return ends[slot].holds(word(memory, offset, seen, ends[slot].index())) ? slot | END : slot;
      }
    }
    return NONE;
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

  private boolean matches(int slot, MemorySegment memory, long offset, int seen) {
    boolean wanted = and[slot];
    for (MatchRule rule : rules[slot]) {
      if (rule.holds(word(memory, offset, seen, rule.index())) != wanted) {
        return !wanted;
      }
    }
    return wanted;
  }

  private static int word(MemorySegment memory, long offset, int seen, int index) {
    int at = index * Integer.BYTES;
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
