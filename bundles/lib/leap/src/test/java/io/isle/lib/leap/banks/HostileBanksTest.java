package io.isle.lib.leap.banks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The other side writes what it likes into the segment. */
class HostileBanksTest {
  private static final MemorySegment MEMORY = Arena.global().allocate(BankLayout.BANK_BYTES);

  private final MemorySegment segment = BanksPropertyTest.empty();
  private final BankWriter writer = new BankWriter(segment, 1, 0);
  private final BankReader reader = new BankReader(segment, 0);

  private void number(long bank, long number) {
    segment.set(BankLayout.U64, BankLayout.state(bank) + BankLayout.NUMBER, number);
  }

  private void length(long bank, int length) {
    segment.set(BankLayout.U32, BankLayout.state(bank) + BankLayout.LENGTH, length);
  }

  private void taken(long number) {
    segment.set(BankLayout.U64, BankLayout.READER + BankLayout.TAKEN, number);
  }

  @ParameterizedTest
  @ValueSource(longs = {2, 65, -63, -1, Long.MIN_VALUE, Long.MAX_VALUE})
  void aNumberOfAnotherFrameIsRefused(long number) {
    number(1, number);
    assertEquals(number == -63 ? 0 : -Errno.EPROTO, reader.poll());
    assertEquals(number == -63 ? -Errno.EAGAIN : -Errno.EPROTO, reader.length());
    assertEquals(0, reader.taken());
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, Integer.MIN_VALUE, BankLayout.BANK_BYTES + 1, Integer.MAX_VALUE})
  void aLengthBeyondTheBankIsRefused(int length) {
    length(1, length);
    number(1, 1);
    assertEquals(-Errno.EPROTO, reader.length());
    assertEquals(-Errno.EPROTO, reader.read(MEMORY, 0, BankLayout.BANK_BYTES));
    assertEquals(0, reader.taken());
  }

  @Test
  void aLengthThatGrowsBehindTheLookHasNoEffect() {
    length(1, 4);
    number(1, 1);
    assertEquals(4, reader.length());
    length(1, Integer.MAX_VALUE);
    reader.copy(0, MEMORY, 0, 4);
    assertEquals(0, reader.take());
    assertThrows(IndexOutOfBoundsException.class, () -> reader.copy(1, MEMORY, 0, 131_072));
    assertThrows(IndexOutOfBoundsException.class, () -> reader.copy(-1, MEMORY, 0, 1));
    assertThrows(IndexOutOfBoundsException.class, () -> reader.copy(0, MEMORY, 131_071, 2));
  }

  @Test
  void aBankThatIsWrittenAgainDuringTheCopyIsRefused() {
    length(1, 4);
    number(1, 1);
    assertEquals(4, reader.length());
    number(1, 65);
    assertEquals(-Errno.EPROTO, reader.take());
    assertEquals(0, reader.taken());
  }

  @ParameterizedTest
  @ValueSource(longs = {65, -1, Long.MIN_VALUE, Long.MAX_VALUE})
  void framesTakenThatWereNotSentAreRefused(long claimed) {
    for (int i = 0; i < BankLayout.BANKS; i++) {
      assertEquals(0, writer.publish(0));
    }
    taken(claimed);
    assertEquals(-Errno.EPROTO, writer.claim());
    assertEquals(-Errno.EPROTO, writer.publish(0));
    assertEquals(BankLayout.BANKS, writer.number());
  }

  @Test
  void framesThatAreGivenBackTwiceAreRefused() {
    for (int i = 0; i < BankLayout.BANKS; i++) {
      assertEquals(0, writer.publish(0));
    }
    taken(3);
    assertEquals(0, writer.look());
    taken(2);
    assertEquals(-Errno.EPROTO, writer.look());
    assertEquals(3, writer.taken());
  }

  /** Any words: each call has one of its codes, and frames stay within what was sent and taken. */
  @Property(tries = 2000)
  void anyWordsHaveACode(
      @ForAll long[] words, @ForAll @IntRange(max = 66) int published, @ForAll boolean whole) {
    MemorySegment all = BanksPropertyTest.empty();
    BankWriter out = new BankWriter(all, 1, 0);
    BankReader in = new BankReader(all, 0);
    Set<Integer> writing = Set.of(0, -Errno.EAGAIN, -Errno.EPROTO);
    for (int i = 0; i < published; i++) {
      assertTrue(writing.contains(out.publish(i)));
    }
    long lines = BankLayout.BYTES - BankLayout.STATES;
    for (long word : words) {
      long at = BankLayout.STATES + Math.floorMod(word >>> 8, lines / 8) * 8;
      all.set(BankLayout.U64, at, whole ? word : word & 0xFF);
      assertTrue(writing.contains(out.publish(1)));
      int got = in.read(MEMORY, 0, BankLayout.BANK_BYTES);
      assertTrue(
          got == -Errno.EAGAIN || got == -Errno.EPROTO || got >= 0 && got <= BankLayout.BANK_BYTES);
      assertTrue(Set.of(0, 1, -Errno.EPROTO).contains(in.lieDown()));
      assertTrue(writing.contains(out.lieDown()));
      out.bellDue();
      in.bellDue();
      assertTrue(out.taken() <= out.number() && out.number() - out.taken() <= BankLayout.BANKS);
    }
  }

  @Test
  void aSegmentHasItsSizeAndPlace() {
    MemorySegment small = segment.asSlice(0, BankLayout.BYTES - 64);
    assertThrows(IllegalArgumentException.class, () -> new BankReader(small, 0));
    MemorySegment moved = Arena.global().allocate(BankLayout.BYTES + 64, 64).asSlice(8);
    assertThrows(IllegalArgumentException.class, () -> new BankWriter(moved, 1, 0));
  }
}
