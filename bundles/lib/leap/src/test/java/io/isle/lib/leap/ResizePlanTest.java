package io.isle.lib.leap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.lib.leap.WorkerAction.Kind;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Masters and workers agree on layers. */
class ResizePlanTest {
  private static final int BYTES = 264;

  private final MemorySegment packet = MemorySegment.ofArray(new byte[BYTES]);
  private final ControlReader reader = new ControlReader();

  private void write(int layers, int... boundaries) {
    assertEquals(BYTES, ResizePlan.of(layers, boundaries).write(packet, 0, BYTES));
    assertTrue(reader.packet(packet, 0, BYTES));
  }

  private static String refusal(int layers, int... boundaries) {
    return assertThrows(IllegalArgumentException.class, () -> ResizePlan.of(layers, boundaries))
        .getMessage();
  }

  @Test
  void oneBoundaryIsAWorkerToTheEnd() {
    write(32, 8);
    assertEquals("de c0 01 08 00 00 00 20 00 00 00 01", Bytes.hex(packet, 0, 12));
    assertEquals(8, ResizePlan.of(32, 8).masterEnd());
  }

  @Test
  void twoBoundariesAreAWorkerBetweenThem() {
    write(32, 8, 16);
    assertEquals("de c0 01 08 00 00 00 10 00 00 00 00", Bytes.hex(packet, 0, 12));
    assertFalse(ResizePlan.of(32, 8, 16).hasTail());
    write(32, 8, 32);
    assertEquals("de c0 01 08 00 00 00 20 00 00 00 01", Bytes.hex(packet, 0, 12));
    assertTrue(ResizePlan.of(32, 8, 32).hasTail());
  }

  @Test
  void threeBoundariesAreAChainOfTwo() {
    write(16, 8, 12, 16);
    assertEquals(Control.RESIZE_CHAIN, reader.type());
    assertEquals(2, reader.workers());
    assertEquals(0, reader.index());
    assertTrue(reader.tail(1));
    write(17, 8, 12, 16);
    assertFalse(reader.tail(1));
  }

  @Test
  void refusalsNameTheBoundaryAndTheLimit() {
    assertEquals("boundary 1 is 0, not in 1..32 (layers)", refusal(32, 0));
    assertEquals("boundary 1 is -4, not in 1..32 (layers)", refusal(32, -4, 8));
    assertEquals("boundary 2 is 33, not in 1..32 (layers)", refusal(32, 8, 33));
    assertEquals("boundary 2 is 8, not above 8 before it", refusal(32, 8, 8));
    assertEquals("boundary 3 is 7, not above 9 before it", refusal(32, 8, 9, 7));
    assertEquals("layers 0 is not in 1..65536: the setting layers", refusal(0, 8));
    assertEquals("layers 65537 is not in 1..65536: the setting layers", refusal(65_537, 8));
    assertEquals("0 boundaries: a resize has 1 to 17, for at most 16 workers", refusal(32));
    assertEquals(
        "18 boundaries: a resize has 1 to 17, for at most 16 workers",
        refusal(32, IntStream.rangeClosed(1, 18).toArray()));
    assertEquals(16, ResizePlan.of(32, IntStream.rangeClosed(1, 17).toArray()).workers());
    assertEquals(65_536, ResizePlan.of(65_536, 65_536).end(0));
  }

  @Test
  void aWorkerAppliesAndAcknowledges() {
    write(32, 8, 16);
    WorkerAction action = WorkerAction.of(reader, 32);
    assertEquals(new WorkerAction(Kind.APPLY_AND_ACK, 8, 16, false, 0), action);
    assertTrue(action.applies());
    assertEquals(BYTES, action.write(packet, 0, BYTES));
    assertTrue(reader.packet(packet, 0, BYTES));
    assertEquals("de c0 03 08 00 00 00 10 00 00 00 00", Bytes.hex(packet, 0, 12));
  }

  @Test
  void acknowledgementsOfOthersGoOnUnchanged() {
    assertEquals(BYTES, ControlWriter.ack(packet, 0, BYTES, 8, 60_000, true));
    String before = Bytes.hex(packet, 0, BYTES);
    assertTrue(reader.packet(packet, 0, BYTES));
    WorkerAction action = WorkerAction.of(reader, 32);
    assertEquals(Kind.PASS_ON, action.kind());
    assertFalse(action.applies());
    assertEquals(BYTES, action.write(packet, 0, BYTES));
    assertEquals(before, Bytes.hex(packet, 0, BYTES));
  }

  /** Nobody of the chain applies anything then, as each looks at the last layer of all. */
  @Test
  void aResizeBeyondTheModelIsRefused() {
    write(64, 8, 48);
    WorkerAction action = WorkerAction.of(reader, 32);
    assertEquals(Kind.REFUSE, action.kind());
    assertEquals(48, action.end());
    assertFalse(action.applies());
    assertEquals(0, action.write(packet, 0, BYTES));
    assertEquals(Kind.APPLY_AND_ACK, WorkerAction.of(reader, 0).kind());
    assertEquals(Kind.APPLY_AND_ACK, WorkerAction.of(reader, 48).kind());
    write(64, 8, 16, 48);
    assertEquals(Kind.REFUSE, WorkerAction.of(reader, 47).kind());
    assertEquals(Kind.APPLY_AND_FORWARD, WorkerAction.of(reader, 48).kind());
  }

  @Property(tries = 500)
  void aChainOfWorkersAppliesThePlan(@ForAll long seed) {
    Random random = new Random(seed);
    int layers = 17 + random.nextInt(65_520);
    int[] all = random.ints(1, layers + 1).distinct().limit(17).sorted().toArray();
    int[] boundaries = Arrays.copyOf(all, 1 + random.nextInt(17));
    if (random.nextBoolean()) {
      boundaries[boundaries.length - 1] = layers;
    }
    ResizePlan plan = ResizePlan.of(layers, boundaries);
    write(layers, boundaries);
    for (int worker = 0; worker < plan.workers(); worker++) {
      assertTrue(reader.packet(packet, 0, BYTES));
      WorkerAction action = WorkerAction.of(reader, random.nextBoolean() ? layers : 0);
      assertTrue(action.applies());
      assertEquals(plan.start(worker), action.start());
      assertEquals(plan.end(worker), action.end());
      assertEquals(plan.tail(worker), action.tail());
      assertEquals(
          worker == plan.workers() - 1 ? Kind.APPLY_AND_ACK : Kind.APPLY_AND_FORWARD,
          action.kind());
      assertEquals(BYTES, action.write(packet, 0, BYTES));
    }
    assertTrue(reader.packet(packet, 0, BYTES));
    assertEquals(Control.ACK, reader.type());
    assertEquals(plan.start(plan.workers() - 1), reader.start());
    assertEquals(plan.end(plan.workers() - 1), reader.end());
    assertEquals(plan.hasTail(), reader.tail());
  }
}
