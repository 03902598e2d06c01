package io.isle.fabric.ring.node;

import static io.isle.fabric.ring.node.TestRing.BYTES;
import static io.isle.fabric.ring.node.TestRing.SECOND;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.NodeState;
import io.isle.api.fabric.RingEndpoint;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingRole;
import io.isle.api.fabric.RingStage;
import io.isle.lib.leap.Control;
import io.isle.lib.leap.ControlWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rings of a master and others within the process. */
@Timeout(60)
class RingNodeTest {
  private static final int REPLY = 1;
  private static final int NO_REPLY = 0;

  @Test
  void packetsGoRoundThroughAllWorkersInOrder() {
    try (TestRing ring = new TestRing(RingRole.WORKER, RingRole.WORKER, RingRole.TAIL)) {
      for (int pos = 0; pos < 50; pos++) {
        assertEquals(BYTES, ring.send(pos, REPLY, pos, SECOND));
      }
      for (int pos = 0; pos < 50; pos++) {
        assertEquals(BYTES, ring.receive(5 * SECOND));
        TestPackets.assertMixed(ring.into, pos, pos, 1, 2, 3);
      }
      assertEquals(NodeState.RUNNING, ring.node(1).info().state());
      assertEquals(50, ring.node(0).info().position());
    }
  }

  @Test
  void aRelayChangesNothing() {
    try (TestRing ring = new TestRing(RingRole.RELAY)) {
      assertEquals(BYTES, ring.send(0, REPLY, 9, SECOND));
      assertEquals(BYTES, ring.receive(5 * SECOND));
      TestPackets.assertMixed(ring.into, 0, 9);
      assertEquals(Optional.empty(), ring.node(1).info().stage());
    }
  }

  @Test
  void theTailDropsPacketsWithoutARequestedReply() {
    try (TestRing ring = new TestRing(RingRole.TAIL)) {
      assertEquals(BYTES, ring.send(0, NO_REPLY, 1, SECOND));
      assertEquals(BYTES, ring.send(1, REPLY, 2, SECOND));
      assertEquals(BYTES, ring.receive(5 * SECOND));
      TestPackets.assertMixed(ring.into, 1, 2, 1);
      assertEquals(1, ring.node(1).info().dropped());
    }
  }

  @Test
  void withoutATailTheMasterDropsThem() {
    try (TestRing ring = new TestRing(RingRole.WORKER)) {
      assertEquals(BYTES, ring.send(0, NO_REPLY, 1, SECOND));
      assertEquals(BYTES, ring.send(1, REPLY, 2, SECOND));
      assertEquals(BYTES, ring.receive(5 * SECOND));
      TestPackets.assertMixed(ring.into, 1, 2, 1);
      assertEquals(1, ring.node(0).info().dropped());
    }
  }

  @Test
  void aPositionThatLooksLikeControlIsNotSent() {
    try (TestRing ring = new TestRing(RingRole.WORKER)) {
      assertEquals(-Errno.ERANGE, ring.send(0xC0DE, REPLY, 1, SECOND));
      assertEquals(-Errno.ERANGE, ring.send(0x7FFFC0DE, REPLY, 1, SECOND));
      TestPackets.write(ring.packet, 0xC0DE, REPLY, 1);
      assertEquals(
          -Errno.ERANGE,
          ring.master.sendNext(ring.packet, 1, ring.packet, 1, BYTES - 1, SECOND),
          "the position in two parts");
      assertEquals(BYTES, ring.send(0xC0DF, REPLY, 1, SECOND));
      assertEquals(BYTES, ring.receive(5 * SECOND));
    }
  }

  @Test
  void aResizeMovesLayersAndBeginsAtPositionZero() {
    try (TestRing ring = new TestRing(RingRole.WORKER, RingRole.WORKER)) {
      assertEquals(BYTES, ring.send(0, REPLY, 1, SECOND));
      List<LayerRange> ranges = ring.master.resize(List.of(2, 5, 12));
      assertEquals(List.of(new LayerRange(2, 5, false), new LayerRange(5, 12, true)), ranges);
      assertEquals(Optional.of(new LayerRange(2, 5, false)), ring.node(1).info().range());
      assertEquals(Optional.of(new LayerRange(5, 12, true)), ring.node(2).info().range());
      assertEquals(0, ring.node(0).info().position());
      assertEquals(1, ring.node(0).info().resizes());
      assertEquals(BYTES, ring.receive(5 * SECOND), "the reply before the acknowledgement is kept");
      TestPackets.assertMixed(ring.into, 0, 1, 1, 2);
      assertEquals(BYTES, ring.send(0, REPLY, 3, SECOND));
      assertEquals(BYTES, ring.receive(5 * SECOND));
      TestPackets.assertMixed(ring.into, 0, 3, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    }
  }

  @Test
  void aResizeOfOneWorkerPassesItsAcknowledgementThroughTheOthers() {
    try (TestRing ring = new TestRing(RingRole.WORKER, RingRole.WORKER)) {
      assertEquals(List.of(new LayerRange(4, 12, true)), ring.master.resize(List.of(4)));
      assertEquals(List.of(new LayerRange(4, 6, false)), ring.master.resize(List.of(4, 6)));
      assertEquals(Optional.of(new LayerRange(2, 3, false)), ring.node(2).info().range());
    }
  }

  @Test
  void wrongBoundariesAreRefusedWithTheirLimit() {
    try (TestRing ring = new TestRing(RingRole.WORKER)) {
      for (List<Integer> wrong :
          List.of(List.<Integer>of(), List.of(0), List.of(13), List.of(5, 5), List.of(6, 5, 12))) {
        RingException refused =
            assertThrows(RingException.class, () -> ring.master.resize(wrong), wrong::toString);
        assertEquals(Errno.EINVAL, refused.code());
      }
      assertEquals(Optional.of(new LayerRange(1, 2, false)), ring.node(1).info().range());
    }
  }

  @Test
  void aResizeThatNobodyConfirmsNamesTheWorker() {
    try (TestRing ring = new TestRing(RingRole.WORKER)) {
      RingException late =
          assertThrows(
              RingException.class,
              () -> ((Endpoint) ring.master).resize(List.of(2, 5, 12), SECOND / 20));
      assertEquals(Errno.ETIMEDOUT, late.code());
      assertTrue(late.getMessage().contains("worker 2 of 2 (layers 5 to 12)"), late.getMessage());
    }
  }

  @Test
  void aControlMessageOfTheTenantComesBackAsItsAcknowledgement() {
    try (TestRing ring = new TestRing(RingRole.WORKER)) {
      MemorySegment control = ring.arena.allocate(BYTES);
      ControlWriter.resizeLayers(control, 0, BYTES, 3, 7, false);
      assertEquals(BYTES, ring.master.sendControl(control, Control.MARKER_BYTES, SECOND));
      MemorySegment got = ring.arena.allocate(Control.MESSAGE_BYTES);
      long polled;
      do {
        polled = ring.master.pollControl(got, 0);
        Thread.onSpinWait();
      } while (polled == -Errno.EAGAIN);
      assertEquals(Control.MESSAGE_BYTES, polled);
      assertEquals(Control.ACK, got.get(ValueLayout.JAVA_BYTE, 0));
      control.fill((byte) 0x11);
      assertEquals(-Errno.EINVAL, ring.master.sendControl(control, 0, SECOND));
    }
  }

  @Test
  void aFailingStageIsAStateOfTheNodeUntilPositionZero() {
    RingStage stage =
        bytes ->
            new RingStage.Instance() {
              @Override
              public void process(int position, MemorySegment payload) {
                if (position == 3) {
                  throw new IllegalStateException("no position 3");
                }
              }

              @Override
              public void resize(LayerRange range) {}
            };
    try (TestRing ring = new TestRing("bad", stage, RingRole.WORKER)) {
      assertEquals(BYTES, ring.send(2, REPLY, 1, SECOND));
      assertEquals(BYTES, ring.send(3, REPLY, 1, SECOND));
      assertEquals(BYTES, ring.send(4, REPLY, 1, SECOND));
      assertEquals(BYTES, ring.receive(5 * SECOND));
      TestPackets.assertMixed(ring.into, 2, 1);
      while (ring.node(1).info().dropped() < 2) {
        Thread.onSpinWait();
      }
      assertEquals(NodeState.FAILED, ring.node(1).info().state());
      assertTrue(ring.node(1).info().reason().contains("no position 3"));
      assertEquals(BYTES, ring.send(0, REPLY, 1, SECOND));
      assertEquals(BYTES, ring.receive(5 * SECOND));
      assertEquals(NodeState.RUNNING, ring.node(1).info().state());
    }
  }

  @Test
  void argumentsAreChecked() {
    try (TestRing ring = new TestRing(RingRole.WORKER)) {
      RingEndpoint end = ring.master;
      assertEquals(-Errno.EMSGSIZE, end.sendNext(ring.packet, 0, BYTES - 1, 0));
      assertEquals(-Errno.EINVAL, end.sendNext(ring.packet, 1, BYTES, 0));
      assertEquals(-Errno.EINVAL, end.sendNext(ring.packet, 0, BYTES, -1));
      assertEquals(
          -Errno.EINVAL, end.sendNext(ring.packet, 0, BYTES, RingEndpoint.MAX_TIMEOUT_NS + 1));
      assertEquals(
          -Errno.EINVAL, end.sendNext(MemorySegment.ofArray(new byte[BYTES]), 0, BYTES, 0));
      assertEquals(-Errno.EINVAL, end.recvPrev(ring.packet.asReadOnly(), 0, BYTES, 0));
      Arena ended = Arena.ofShared();
      MemorySegment gone = ended.allocate(BYTES);
      ended.close();
      assertEquals(-Errno.EINVAL, end.sendNext(gone, 0, BYTES, 0));
      assertEquals(-Errno.EINVAL, end.recvPrev(gone, 0, BYTES, 0));
      assertEquals(-Errno.EMSGSIZE, end.recvPrev(ring.packet, 0, BYTES - 1, 0));
      assertEquals(-Errno.ENOTSUP, end.sendPrev(ring.packet, 0, BYTES, 0));
      assertEquals(-Errno.ENOTSUP, end.recvNext(ring.packet, 0, BYTES, 0));
      assertEquals(-Errno.EAGAIN, end.recvPrev(ring.packet, 0, BYTES, 0));
      assertEquals(-Errno.ETIME, end.recvPrev(ring.packet, 0, BYTES, 1));
    }
  }

  @Test
  void aClaimedPacketIsSentInPlaceAndKeepsOthersOut() {
    try (TestRing ring = new TestRing(RingRole.WORKER)) {
      assertEquals(BYTES, ring.master.claimNext(SECOND));
      assertEquals(-Errno.EBUSY, ring.send(0, REPLY, 1, 0));
      TestPackets.write(ring.master.claimed(), 7, REPLY, 4);
      assertEquals(BYTES, ring.master.commitNext(SECOND));
      assertEquals(BYTES, ring.receive(5 * SECOND));
      TestPackets.assertMixed(ring.into, 7, 4, 1);
      assertEquals(BYTES, ring.master.claimNext(SECOND));
      ring.master.abandonNext();
      assertEquals(-Errno.EPERM, ring.master.commitNext(SECOND));
      assertEquals(BYTES, ring.send(0, REPLY, 1, SECOND));
    }
  }

  @Test
  void aSecondReceiverIsBusy() throws InterruptedException {
    try (TestRing ring = new TestRing(RingRole.WORKER)) {
      Thread waiting =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (ring.receive(3600 * SECOND) == -Errno.EBUSY) {
                      Thread.onSpinWait();
                    }
                  });
      while (ring.master.recvPrev(ring.packet, 0, BYTES, 0) != -Errno.EBUSY) {
        Thread.onSpinWait();
      }
      assertEquals(-Errno.EBUSY, ring.master.pollControl(ring.packet, 0));
      ring.master.close();
      waiting.join();
    }
  }

  /** The bundle of a tenant stops in the middle of its calls. */
  @Test
  void aClaimEndsWithItsEndpoint() throws InterruptedException {
    try (TestRing ring = new TestRing(RingRole.WORKER)) {
      long[] result = new long[1];
      Thread waiting = Thread.ofPlatform().start(() -> result[0] = ring.receive(3600 * SECOND));
      assertEquals(BYTES, ring.master.claimNext(0));
      MemorySegment claimed = ring.master.claimed();
      ring.master.close();
      waiting.join();
      assertEquals(-Errno.ECLOSED, result[0]);
      assertEquals(-Errno.ECLOSED, ring.master.commitNext(0));
      assertThrows(IllegalStateException.class, ring.master::claimed);
      assertThrows(IllegalStateException.class, () -> claimed.fill((byte) 1));
      try (RingEndpoint next = ring.node(0).open(ring.capability(), TestRing.NO_RECORD, () -> {})) {
        assertEquals(BYTES, next.claimNext(0));
        assertEquals(0, next.claimed().get(ValueLayout.JAVA_BYTE, 0), "nothing of another tenant");
      }
    }
  }

  @Test
  void packetsForNobodyHoldNoCallWithoutATimeout() {
    try (TestRing ring = new TestRing(RingRole.WORKER)) {
      for (int i = 0; i < 200; i++) {
        assertEquals(BYTES, ring.send(i, NO_REPLY, i, SECOND));
      }
      while (ring.node(1).info().next().counters().framesSent() < 200) {
        Thread.onSpinWait();
      }
      assertEquals(-Errno.EAGAIN, ring.receive(0));
      long dropped = ring.node(0).info().dropped();
      assertTrue(dropped > 0 && dropped < 200, dropped + " in one call");
      assertEquals(-Errno.ETIME, ring.receive(SECOND / 10));
      assertEquals(200, ring.node(0).info().dropped());
    }
  }

  @Test
  void anErrorOfTheStageIsAStateOfTheNode() {
    RingStage stage =
        bytes ->
            new RingStage.Instance() {
              @Override
              public void process(int position, MemorySegment payload) {
                if (position == 3) {
                  throw new StackOverflowError("too deep");
                }
              }

              @Override
              public void resize(LayerRange range) {}
            };
    try (TestRing ring = new TestRing("bad", stage, RingRole.WORKER)) {
      assertEquals(BYTES, ring.send(3, REPLY, 1, SECOND));
      while (ring.node(1).info().dropped() == 0) {
        Thread.onSpinWait();
      }
      assertEquals(NodeState.FAILED, ring.node(1).info().state());
      assertTrue(ring.node(1).info().reason().contains("too deep"));
      assertEquals(BYTES, ring.send(0, REPLY, 1, SECOND));
      assertEquals(BYTES, ring.receive(5 * SECOND));
    }
  }

  @Test
  void aRevokedCapabilityEndsAWaitingCall() throws InterruptedException {
    try (TestRing ring = new TestRing(RingRole.WORKER)) {
      long[] result = new long[1];
      Thread waiting = Thread.ofPlatform().start(() -> result[0] = ring.receive(3600 * SECOND));
      ring.capability.valid = false;
      ring.node(0).revoked();
      waiting.join();
      assertEquals(-Errno.EREVOKED, result[0]);
      assertEquals(-Errno.EREVOKED, ring.send(0, REPLY, 1, 0));
    }
  }

  @Test
  void aClosedEndpointEndsAWaitingCallAndAnotherMayBeOpened() throws InterruptedException {
    try (TestRing ring = new TestRing(RingRole.WORKER)) {
      long[] result = new long[1];
      Thread waiting = Thread.ofPlatform().start(() -> result[0] = ring.receive(3600 * SECOND));
      RingException busy =
          assertThrows(
              RingException.class,
              () -> ring.node(0).open(ring.capability(), TestRing.NO_RECORD, () -> {}));
      assertEquals(Errno.EBUSY, busy.code());
      ring.master.close();
      waiting.join();
      assertEquals(-Errno.ECLOSED, result[0]);
      assertEquals(-Errno.ECLOSED, ring.receive(0));
      try (RingEndpoint again =
          ring.node(0).open(ring.capability(), TestRing.NO_RECORD, () -> {})) {
        assertEquals(-Errno.EAGAIN, again.recvPrev(ring.into, 0, BYTES, 0));
      }
      RingException wrong =
          assertThrows(
              RingException.class,
              () -> ring.node(1).open(ring.capability(), TestRing.NO_RECORD, () -> {}));
      assertEquals(Errno.EPERM, wrong.code());
    }
  }
}
