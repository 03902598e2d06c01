package io.isle.spin.nic.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.driver.HpuLimits;
import io.isle.api.net.port.PortCounters;
import io.isle.api.spin.AbortEvent;
import io.isle.api.spin.HostReply;
import io.isle.api.spin.Rulesets;
import io.isle.api.spin.TextPart;
import io.isle.api.spin.TrapEvent;
import io.isle.spin.nic.hpus.JavaHpus;
import io.isle.spin.nic.hpus.TaskBounds;
import io.isle.spin.nic.plan.ContextPlan;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NicEngineTest {
  private static final long MS = 1_000_000;

  private long now = 1;
  private final NicEngine engine = new NicEngine(() -> now, 2, 500 * MS);
  private final MemoryPort port = new MemoryPort();
  private final MemoryPort host = new MemoryPort();
  private final JavaHpus hpus = JavaHpus.of(16);
  private final LiveSlot slot =
      attach(0, hpus, HostReply.NONE, "AND {0, 0xff000000, 0x01000000, 0x01000000}");

  NicEngineTest() {
    engine.port().use(port);
    engine.host().use(host);
  }

  private LiveSlot attach(int number, JavaHpus of, HostReply reply, String rules) {
    HpuLimits limits = new HpuLimits(5000, 1000, 16, 0);
    LiveSlot made =
        engine.slot(new SlotPlan("nic0", "ping" + number, TaskBounds.of(limits), reply));
    made.use(of.nic());
    engine.attach(
        number,
        new ContextPlan("g", Rulesets.parse(rules).all().getFirst(), false, true, false),
        made);
    return made;
  }

  private static byte[] frame(int first, int length) {
    byte[] frame = new byte[length];
    frame[0] = (byte) first;
    return frame;
  }

  private static int echo(JavaHpus hpus, int hpu, int handler, byte[] packet) {
    packet[0] = 9;
    return hpus.send(hpu, packet) ? 0 : 1;
  }

  private List<TrapEvent> traps() {
    List<TrapEvent> traps = new ArrayList<>();
    engine.events().drain("nic0", traps::add, abort -> {});
    return traps;
  }

  @Test
  void framesThatMatchAreAnsweredAndOthersGoToTheHost() {
    port.arriving.add(frame(1, 60));
    port.arriving.add(frame(2, 61));
    host.arriving.add(frame(3, 62));
    assertTrue(engine.cycle() > 0);
    assertEquals(61, host.left.poll().length);
    assertEquals(62, port.left.poll().length);
    assertTrue(engine.runs());
    assertEquals(1, hpus.stepAll(NicEngineTest::echo));
    engine.cycle();
    byte[] answer = frame(9, 60);
    assertArrayEquals(answer, port.left.poll());
    assertFalse(engine.runs());
    assertEquals(1, engine.core().counters(0).tasks());
    assertEquals(0, engine.core().usedSlots(0));
    assertEquals(0, engine.cycle());
  }

  @Test
  void withoutRoomTheFrameWaitsAndTheTaskWithIt() {
    port.arriving.add(frame(1, 60));
    engine.cycle();
    port.room = 0;
    hpus.stepAll(NicEngineTest::echo);
    engine.cycle();
    assertEquals(0, engine.core().counters(0).tasks());
    port.room = 1;
    engine.cycle();
    assertEquals(1, port.left.size());
    assertEquals(1, engine.core().counters(0).tasks());
  }

  @Test
  void aFailedPortLosesWhatIsSentAndNothingElse() {
    port.arriving.add(frame(1, 60));
    engine.cycle();
    port.failure = "gone";
    hpus.stepAll(NicEngineTest::echo);
    engine.cycle();
    assertTrue(engine.port().ended());
    assertEquals(1, engine.port().unsent());
    assertEquals(1, engine.core().counters(0).tasks());
    MemoryPort next = new MemoryPort();
    engine.port().use(next);
    next.arriving.add(frame(1, 60));
    engine.cycle();
    hpus.stepAll(NicEngineTest::echo);
    engine.cycle();
    assertEquals(1, next.left.size());
  }

  @Test
  void whatPortsCannotPassOnOrSendIsCountedOverAllOfThem() {
    port.arriving.add(frame(2, 60));
    host.arriving.add(frame(3, 60));
    engine.cycle();
    port.counters = new PortCounters(1, 0, 5, 1);
    assertEquals(5, engine.port().dropped());
    assertEquals(0, engine.port().sent());
    assertEquals(1, engine.port().unsent());
    MemoryPort next = new MemoryPort();
    next.counters = new PortCounters(0, 0, 2, 0);
    engine.port().use(next);
    assertEquals(7, engine.port().dropped());
    engine.port().use(null);
    assertEquals(7, engine.port().dropped());
    assertEquals(1, engine.port().unsent());
    assertEquals(0, engine.port().sent());
  }

  @Test
  void trapsAndTextCome() {
    port.arriving.add(frame(1, 60));
    engine.cycle();
    now = 5;
    hpus.stepAll(
        (all, hpu, handler, packet) -> {
          all.print("at " + packet.length);
          return 6;
        });
    engine.cycle();
    assertEquals(
        List.of(new TrapEvent(5, "nic0", "ping0", "packet", 0, "cpu_time", 0, 0)), traps());
    assertEquals(new TextPart(0, ""), slot.text().from(0));
    now += MS;
    engine.cycle();
    assertEquals(new TextPart(0, "at 60"), slot.text().from(0));
    assertEquals(new TextPart(3, "60"), slot.text().from(3));
    assertEquals(1, engine.core().counters(0).traps());
  }

  @Test
  void requestsAreEchoedPolledOrPassedOn() {
    JavaHpus other = JavaHpus.of(16);
    attach(1, other, HostReply.ECHO, "AND {0, 0xff000000, 0x02000000, 0x02000000}");
    port.arriving.add(frame(1, 60));
    port.arriving.add(frame(2, 60));
    engine.cycle();
    int mine = hpus.has(0) ? 0 : 8;
    int echoed = other.has(0) ? 0 : 1;
    hpus.request(mine, 100);
    other.request(echoed, 200);
    engine.cycle();
    assertTrue(engine.waits());
    assertEquals(0, engine.core().running());
    assertFalse(other.nic().respond(echoed, 0) == 0, "another view of the rings knows of nothing");
    List<String> requests = new ArrayList<>();
    assertEquals(1, slot.calls().poll((hpu, length) -> requests.add(hpu + " " + length), 16));
    assertEquals(0, slot.calls().poll((hpu, length) -> requests.add("again"), 16));
    assertEquals(List.of(mine + " 100"), requests);
    assertEquals(0, slot.rings().respond(mine, 100));
    hpus.answered(mine);
    engine.cycle();
    slot.calls().listen((hpu, length) -> requests.add("heard " + length), Runnable::run);
    hpus.request(mine, 7);
    engine.cycle();
    assertEquals(List.of(mine + " 100", "heard 7"), requests);
  }

  @Test
  void aRequestCountsAsWaitingForItsTimeAtMost() {
    port.arriving.add(frame(1, 60));
    engine.cycle();
    int mine = hpus.has(0) ? 0 : 8;
    hpus.request(mine, 0);
    engine.cycle();
    now += 1000 * MS;
    engine.cycle();
    engine.cycle();
    assertEquals(0, engine.core().running());
    now += 2 * MS;
    engine.cycle();
    engine.cycle();
    assertEquals(1, engine.core().running());
    hpus.answered(mine);
    hpus.request(mine, 0);
    engine.cycle();
    assertEquals(1, engine.core().running());
    assertEquals("", slot.broken());
  }

  @Test
  void aPortThatWasEmptyIsNotAskedForAWhile() {
    port.descriptor = 3;
    host.descriptor = 4;
    engine.cycle();
    port.arriving.add(frame(1, 60));
    assertEquals(0, engine.cycle());
    now += 5_000;
    assertTrue(engine.cycle() > 0);
    host.arriving.add(frame(3, 62));
    assertEquals(0, engine.cycle());
    now += 5_000;
    engine.cycle();
    assertEquals(62, port.left.poll().length);
  }

  @Test
  void aListenerHasOneCallOfAnHpuAtATime() {
    List<Runnable> calls = new ArrayList<>();
    List<Integer> lengths = new ArrayList<>();
    slot.calls().listen((hpu, length) -> lengths.add(length), calls::add);
    port.arriving.add(frame(1, 60));
    engine.cycle();
    int mine = hpus.has(0) ? 0 : 8;
    for (int i = 1; i <= 5; i++) {
      hpus.request(mine, i);
      engine.cycle();
    }
    assertEquals(1, calls.size());
    calls.removeFirst().run();
    hpus.request(mine, 6);
    engine.cycle();
    calls.removeFirst().run();
    assertEquals(List.of(5, 6), lengths);
    slot.calls()
        .listen(
            (hpu, length) -> {
              throw new AssertionError("a listener fails");
            },
            Runnable::run);
    hpus.request(mine, 7);
    engine.cycle();
    assertTrue(engine.runs() || engine.waits());
  }

  @Test
  void aHandlerThatSaysAgainAndAgainThatItWaitsIsNoticed() {
    port.arriving.add(frame(1, 60));
    engine.cycle();
    int mine = hpus.has(0) ? 0 : 8;
    for (int i = 0; i < 30; i++) {
      assertTrue(i > 20 || slot.broken().isEmpty(), slot.broken());
      now += 100 * MS;
      engine.cycle();
      hpus.request(mine, 0);
      engine.cycle();
      hpus.answered(mine);
      engine.cycle();
    }
    assertTrue(slot.broken().contains("does not end"), slot.broken());
  }

  @Test
  void theRoomOfAPortGoesAround() {
    JavaHpus other = JavaHpus.of(16);
    attach(1, other, HostReply.NONE, "AND {0, 0xff000000, 0x02000000, 0x02000000}");
    engine.core().parallel(16);
    port.room = 0;
    for (int i = 0; i < 4; i++) {
      port.arriving.add(frame(1, 60));
      port.arriving.add(frame(2, 60));
    }
    engine.cycle();
    assertEquals(4, hpus.stepAll((all, hpu, handler, packet) -> all.send(hpu, packet) ? 0 : 1));
    assertEquals(4, other.stepAll((all, hpu, handler, packet) -> all.send(hpu, packet) ? 0 : 1));
    for (int i = 0; i < 4; i++) {
      port.room = 1;
      engine.cycle();
    }
    int ofOther = 0;
    for (byte[] sent : port.left) {
      ofOther += sent[0] - 1;
    }
    assertEquals(4, port.left.size());
    assertTrue(ofOther == 1 || ofOther == 2, "frames of the second: " + ofOther);
  }

  @Test
  void handlersThatPrintWithoutEndHaveAPartOfTheAgentsTime() {
    port.arriving.add(frame(1, 60));
    engine.cycle();
    hpus.print("x".repeat(20_000));
    now += MS;
    engine.cycle();
    assertEquals(8192, slot.text().from(0).text().length());
    engine.drain(0);
    assertEquals(20_000, slot.text().from(0).text().length());
  }

  @Test
  void whatBreaksTheRulesIsNotReadAnyMore() {
    port.arriving.add(frame(1, 60));
    engine.cycle();
    hpus.spoil(0);
    engine.cycle();
    assertTrue(slot.broken().contains("rules of their memory"), slot.broken());
    engine.detach(0);
    assertFalse(engine.runs());
    assertTrue(engine.isFree(0));
  }

  @Test
  void aTaskThatDoesNotEndIsNoticed() {
    port.arriving.add(frame(1, 60));
    engine.cycle();
    now += 2_099 * MS;
    engine.cycle();
    assertEquals("", slot.broken());
    now += 2 * MS;
    engine.cycle();
    assertTrue(slot.broken().contains("does not end"), slot.broken());
  }

  @Test
  void aFreezeLosesPacketsAndAnotherAttachmentGoesOn() {
    port.arriving.add(frame(1, 60));
    port.arriving.add(frame(1, 60));
    engine.cycle();
    engine.freeze(0);
    port.arriving.add(frame(1, 60));
    engine.cycle();
    assertEquals(2, engine.core().counters(0).lost());
    JavaHpus next = JavaHpus.of(16);
    slot.use(next.nic());
    engine.core().thaw(0);
    port.arriving.add(frame(1, 60));
    engine.cycle();
    assertEquals(1, next.stepAll(NicEngineTest::echo));
    engine.cycle();
    assertEquals(1, port.left.size());
  }

  @Test
  void lateMessagesAreAborted() {
    engine.detach(0);
    slot.use(hpus.nic());
    engine.attach(
        0,
        new ContextPlan(
            "g",
            Rulesets.parse("AND {0, 0xff000000, 0x01000000, 0x01000000} EOM {1, 1, 1, 1}")
                .all()
                .getFirst(),
            true,
            true,
            true),
        slot);
    port.arriving.add(frame(1, 60));
    engine.cycle();
    hpus.stepAll((all, hpu, handler, packet) -> 0);
    engine.cycle();
    assertTrue(engine.hasTimers());
    now += 501 * MS;
    engine.cycle();
    List<AbortEvent> aborts = new ArrayList<>();
    engine.events().drain("nic0", trap -> {}, aborts::add);
    assertEquals("timeout", aborts.getFirst().reason());
  }
}
