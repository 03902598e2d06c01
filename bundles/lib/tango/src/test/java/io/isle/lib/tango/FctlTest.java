package io.isle.lib.tango;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class FctlTest {
  private final Fseq first = fseq(-1);
  private final Fseq second = fseq(-1);

  private static Fseq fseq(long seq0) {
    return Fseq.create(Links.memory(128, 128), seq0);
  }

  private static Fctl fctl(List<Fseq> consumers, long lag, long seq) {
    return new Fctl(
        consumers.stream().map(one -> new Fctl.Consumer(one, lag)).toList(),
        Fctl.Limits.USUAL,
        seq);
  }

  @Test
  void anFseqIsTheSameToTheByte() {
    MemorySegment memory = Links.memory(128, 128);
    memory.fill((byte) 0x55);
    Fseq made = Fseq.create(memory, 77);
    made.seq(99);
    MemorySegment wanted = Links.memory(128, 128);
    wanted.set(Links.U64, 0, 0xF17EDA2C37F5EC00L);
    wanted.set(Links.U64, 8, 77);
    wanted.set(Links.U64, 16, 99);
    assertEquals(-1, wanted.mismatch(memory));
    assertEquals(99, Fseq.open(memory).seq());
    assertEquals(77, Fseq.open(memory).seq0());
    assertEquals(96, made.app().byteSize());
    memory.set(Links.U64, 0, 0);
    assertThrows(IllegalArgumentException.class, () -> Fseq.open(memory));
  }

  @Test
  void creditsFollowTheSlowestConsumer() {
    Fctl fctl = fctl(List.of(first, second), 128, -1);
    assertEquals(128, fctl.available());
    assertEquals(85, fctl.resume());
    assertEquals(43, fctl.refill());
    long seq = -1;
    for (int i = 0; i < 128; i++) {
      assertTrue(fctl.update(seq) > 0);
      fctl.spend(1);
      first.seq(++seq);
    }
    assertEquals(0, fctl.update(seq));
    assertEquals(1, fctl.slowest());
    assertEquals(1, fctl.slow(1));
    assertEquals(0, fctl.slow(0));
    second.seq(seq - 44);
    assertEquals(0, fctl.update(seq), "not yet enough to go on");
    second.seq(seq - 43);
    assertEquals(85, fctl.update(seq));
  }

  @Test
  void aConsumerWithAWildNumberHarmsItselfAlone() {
    Fctl fctl = fctl(List.of(first), 128, -1);
    first.seq(1000);
    assertEquals(128, fctl.query(-1), "ahead");
    first.seq(-1 - Long.MAX_VALUE);
    assertEquals(0, fctl.query(-1), "far behind");
    first.seq(Long.MAX_VALUE);
    assertEquals(128, fctl.query(-1), "as far ahead as behind");
  }

  @Test
  void aProducerWithoutConsumersIsFree() {
    assertEquals(Long.MAX_VALUE, fctl(List.of(), 1, 5).update(5));
  }

  @Test
  void limitsOutOfOrderAreRefused() {
    List<Fctl.Consumer> one = List.of(new Fctl.Consumer(first, 128));
    refused("burst 129 of flow control is not in 1..128", one, new Fctl.Limits(129, 0, 0, 0));
    refused("max 1 ", one, new Fctl.Limits(2, 1, 0, 0));
    refused("resume 129 ", one, new Fctl.Limits(1, 128, 129, 0));
    refused("refill 65 ", one, new Fctl.Limits(1, 128, 64, 65));
    refused("lag of a consumer 0 ", List.of(new Fctl.Consumer(first, 0)), Fctl.Limits.USUAL);
  }

  private static void refused(String why, List<Fctl.Consumer> consumers, Fctl.Limits limits) {
    String said =
        assertThrows(IllegalArgumentException.class, () -> new Fctl(consumers, limits, 0))
            .getMessage();
    assertTrue(said.contains(why), said);
  }

  /** A reliable producer never overwrites what a consumer needs, and ends only if one stands. */
  @Property(tries = 300, edgeCases = EdgeCasesMode.MIXIN)
  void noConsumerIsOverrunAndAllGoOn(
      @ForAll @Size(min = 1, max = 4) List<@IntRange(min = 0, max = 200) Integer> speeds,
      @ForAll long seq0,
      @ForAll @IntRange(min = 1, max = 8) int burst) {
    List<Fseq> fseqs = new ArrayList<>();
    speeds.forEach(ignored -> fseqs.add(fseq(seq0)));
    Fctl fctl =
        new Fctl(
            fseqs.stream().map(one -> new Fctl.Consumer(one, 128)).toList(),
            new Fctl.Limits(burst, 0, 0, 0),
            seq0);
    long seq = seq0;
    for (int turn = 0; turn < 2000; turn++) {
      if (fctl.update(seq) >= burst) {
        fctl.spend(burst);
        seq += burst;
      }
      for (int i = 0; i < fseqs.size(); i++) {
        Fseq fseq = fseqs.get(i);
        assertTrue(seq - fseq.seq() <= 128, "overrun");
        if (speeds.get(i) > 0 && turn % speeds.get(i) == 0) {
          fseq.seq(fseq.seq() + Math.min(seq - fseq.seq(), 50));
        }
      }
    }
    boolean stands = speeds.contains(0);
    long most = seq - seq0;
    assertTrue(stands ? most <= 128 : most > 128, () -> "published " + most);
  }
}
