package io.isle.api.spin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PacketMatcherTest {
  private static final int SLACK = 7;

  /** The rule by its definition, with numbers that cannot overflow. */
  private static boolean holds(MatchRule rule, byte[] packet) {
    byte[] seen = Arrays.copyOf(Arrays.copyOf(packet, Math.min(packet.length, 66)), 68);
    BigInteger word =
        new BigInteger(1, Arrays.copyOfRange(seen, 4 * rule.index(), 4 * rule.index() + 4));
    BigInteger masked = word.and(unsigned(rule.mask()));
    return masked.compareTo(unsigned(rule.start())) >= 0
        && masked.compareTo(unsigned(rule.end())) <= 0;
  }

  private static BigInteger unsigned(int number) {
    return new BigInteger(Integer.toUnsignedString(number));
  }

  private static boolean matches(Ruleset ruleset, byte[] packet) {
    return ruleset.mode() == MatchMode.AND
        ? ruleset.rules().stream().allMatch(rule -> holds(rule, packet))
        : ruleset.rules().stream().anyMatch(rule -> holds(rule, packet));
  }

  /** Numbers of few values, so that rules hold about as often as they do not. */
  private static Arbitrary<Integer> numbers() {
    return Arbitraries.frequencyOf(
        Tuple.of(3, Arbitraries.of(0, 1, 2, 3, 0x01000000, 0x03000000)),
        Tuple.of(1, Arbitraries.of(-1, Integer.MIN_VALUE, Integer.MAX_VALUE)),
        Tuple.of(1, Arbitraries.integers()));
  }

  @Provide
  Arbitrary<List<Ruleset>> rulesets() {
    Arbitrary<MatchRule> rule =
        Combinators.combine(
                Arbitraries.integers().between(0, MatchRule.MOST_INDEX),
                Arbitraries.of(-1, 0xFF, 0xFF000000, 3, 0x0300),
                numbers(),
                numbers())
            .as(MatchRule::new);
    return Combinators.combine(Arbitraries.of(MatchMode.class), rule.list().ofMaxSize(3), rule)
        .as(Ruleset::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(Rulesets.SLOTS);
  }

  @Provide
  Arbitrary<byte[]> packets() {
    return Arbitraries.of((byte) 0, (byte) 1, (byte) 2, (byte) 3, (byte) 0x80, (byte) 0xFF)
        .array(byte[].class)
        .ofMaxSize(80);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void thePacketBelongsToTheFirstRulesetThatItMatches(
      @ForAll("rulesets") List<Ruleset> rulesets, @ForAll("packets") byte[] packet) {
    byte[] around = new byte[packet.length + 2 * SLACK];
    Arrays.fill(around, (byte) 0xA5);
    System.arraycopy(packet, 0, around, SLACK, packet.length);
    PacketMatcher matcher = new PacketMatcher(new Rulesets(rulesets));
    int match = matcher.match(MemorySegment.ofArray(around), SLACK, packet.length);
    for (int slot = 0; slot < rulesets.size(); slot++) {
      if (matches(rulesets.get(slot), packet)) {
        assertEquals(slot, PacketMatcher.slot(match));
        assertEquals(
            holds(rulesets.get(slot).endOfMessage(), packet), PacketMatcher.endsMessage(match));
        return;
      }
    }
    assertEquals(PacketMatcher.NONE, match);
  }

  @Property
  void aRuleHoldsByItsDefinition(
      @ForAll @IntRange(max = MatchRule.MOST_INDEX) int index,
      @ForAll int mask,
      @ForAll int start,
      @ForAll int end,
      @ForAll @Size(68) byte[] packet) {
    MatchRule rule = new MatchRule(index, mask, start, end);
    int match =
        new PacketMatcher(new Rulesets(List.of(new Ruleset(MatchMode.AND, List.of(rule), rule))))
            .match(MemorySegment.ofArray(packet), 0, packet.length);
    assertEquals(holds(rule, packet), match != PacketMatcher.NONE);
    assertTrue(!holds(rule, packet) || PacketMatcher.endsMessage(match));
  }

  @Test
  void nothingBehindByte66IsSeen() {
    PacketMatcher matcher = new PacketMatcher(Rulesets.parse("AND {16, 0xffff, 1, 0xffff}"));
    byte[] packet = new byte[100];
    Arrays.fill(packet, (byte) 0xFF);
    assertEquals(PacketMatcher.NONE, matcher.match(MemorySegment.ofArray(packet), 0, 100));
    PacketMatcher upper =
        new PacketMatcher(Rulesets.parse("AND {16, 0xffffffff, 0xffff0000, 0xffff0000}"));
    assertEquals(0, upper.match(MemorySegment.ofArray(packet), 0, 100));
    assertEquals(0, upper.match(MemorySegment.ofArray(packet), 0, 66));
    assertEquals(PacketMatcher.NONE, upper.match(MemorySegment.ofArray(packet), 0, 65));
  }

  @Test
  void theIdOfAMessageIsLittleEndian() {
    byte[] packet = new byte[48];
    packet[44] = 1;
    packet[47] = (byte) 0x80;
    assertEquals(0x80000001, PacketMatcher.message(MemorySegment.ofArray(packet), 0, 48));
    assertEquals(0, PacketMatcher.message(MemorySegment.ofArray(packet), 0, 47));
  }

  @Test
  void theMatcherAllocatesNothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    PacketMatcher matcher = new PacketMatcher(Rulesets.parse("icmp-echo; slmp"));
    byte[] bytes = slmp();
    MemorySegment packet = MemorySegment.ofArray(bytes);
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 20; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      int ended = 0;
      for (int i = 0; i < 100_000; i++) {
        bytes[42] = (i & 1) == 0 ? 0 : (byte) 0x80;
        int match = matcher.match(packet, 0, bytes.length);
        ended += PacketMatcher.endsMessage(match) ? PacketMatcher.slot(match) : 0;
      }
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
      assertEquals(50_000, ended);
    }
    assertTrue(least < 1000, least + " bytes for 100000 packets");
  }

  @Test
  void slmpIsMatched() {
    PacketMatcher matcher = new PacketMatcher(Rulesets.parse("slmp"));
    byte[] bytes = slmp();
    int match = matcher.match(MemorySegment.ofArray(bytes), 0, bytes.length);
    assertEquals(0, PacketMatcher.slot(match));
    assertFalse(PacketMatcher.endsMessage(match));
    bytes[42] = (byte) 0xC0;
    assertTrue(
        PacketMatcher.endsMessage(matcher.match(MemorySegment.ofArray(bytes), 0, bytes.length)));
    bytes[37] = 0;
    assertEquals(PacketMatcher.NONE, matcher.match(MemorySegment.ofArray(bytes), 0, bytes.length));
  }

  private static byte[] slmp() {
    byte[] bytes = new byte[60];
    bytes[12] = 8;
    bytes[23] = 17;
    bytes[36] = (byte) (9330 >> 8);
    bytes[37] = (byte) 9330;
    return bytes;
  }
}
