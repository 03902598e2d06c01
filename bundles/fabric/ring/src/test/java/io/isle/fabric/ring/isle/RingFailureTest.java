package io.isle.fabric.ring.isle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.fabric.FailureCause;
import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.NodeFailure;
import io.isle.api.fabric.RingMember;
import io.isle.api.fabric.RingRole;
import io.isle.fabric.ring.health.FailureChange;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Failures of nodes of a ring in virtual time, as the master learns of them. */
class RingFailureTest {
  private static final int NAMED_MS = 2000;
  private VirtualRing ring = VirtualRing.streams(4);

  @AfterEach
  void close() {
    ring.close();
  }

  private void datagrams(int count) {
    ring.close();
    ring = VirtualRing.datagrams(count);
  }

  /** Steps until the master names a node; returns the milliseconds. */
  private int named(String node) {
    return ring.until(() -> at(node).isPresent());
  }

  private int named(String node, FailureCause cause) {
    return ring.until(() -> at(node).filter(one -> one.cause() == cause).isPresent());
  }

  private Optional<NodeFailure> at(String node) {
    return ring.failure(ring.master(), node);
  }

  private NodeFailure known(String node) {
    return at(node).orElseThrow();
  }

  @Test
  void aKilledNodeIsNamedByBothNeighboursAtOnce() {
    ring.up();
    for (int i = 0; i < 5; i++) {
      assertTrue(ring.master().sendData(i, ring.now));
      ring.steps(20);
    }
    ring.kill(2);
    int ms = named("n2");
    assertTrue(ms <= 100, ms + " ms");
    ring.steps(100);
    NodeFailure failure = known("n2");
    assertEquals(FailureCause.RESET, failure.cause());
    assertEquals(List.of("n1", "n3"), failure.reporters());
    assertEquals("tcp://n2:1", failure.address());
    assertEquals(5, failure.frame());
    assertTrue(failure.text().contains("start the node again at tcp://n2:1"), failure.text());
    assertEquals(1, ring.master().health().failed());
    for (int node : List.of(1, 3)) {
      assertTrue(ring.failure(ring.nodes.get(node), "n2").isPresent(), "all nodes know");
    }
  }

  @Test
  void aStoppedNodeIsNamedAsSilentAndItsReturnEndsTheFailure() {
    ring.up();
    ring.nodes.get(2).frozen = true;
    int ms = named("n2");
    assertTrue(ms >= 700 && ms <= NAMED_MS, ms + " ms");
    ring.steps(300);
    NodeFailure failure = known("n2");
    assertEquals(FailureCause.SILENT, failure.cause());
    assertEquals(List.of("n1", "n3"), failure.reporters());
    assertTrue(failure.silentNs() >= 1000 * VirtualRing.MS, failure.toString());
    ring.nodes.get(2).frozen = false;
    ring.until(() -> ring.master().health().lasting().isEmpty());
    NodeFailure ended =
        ring.master().health().failures().stream()
            .filter(one -> one.node().equals("n2"))
            .findFirst()
            .orElseThrow();
    assertTrue(ended.endedNs() > ended.detectedNs());
    List<FailureChange> told = ring.master().changes();
    assertTrue(told.getFirst().failure().lasts());
    assertFalse(told.getLast().failure().lasts());
  }

  @Test
  void aCutPathNamesBothOfItsEnds() {
    ring.up();
    ring.line(1).silence(true);
    int ms = named("n1", FailureCause.CUT);
    assertTrue(ms <= NAMED_MS, ms + " ms");
    assertEquals(FailureCause.CUT, known("n2").cause());
    assertEquals(List.of("n1"), known("n2").reporters());
    assertTrue(known("n2").text().contains("between it and n1 is cut"), known("n2").text());
    ring.line(1).silence(false);
    ring.until(() -> ring.master().health().lasting().isEmpty());
  }

  @Test
  void theMastersOwnPathThatIsCutNamesTheNeighbourAlone() {
    ring.up();
    ring.line(0).silence(true);
    int ms = named("n1", FailureCause.CUT);
    assertTrue(ms <= NAMED_MS, ms + " ms");
    ring.steps(500);
    assertEquals(1, ring.master().health().lasting().size());
  }

  @Test
  void aStuckNodeIsNamedWithItsPacket() {
    ring.up();
    VirtualNode stuck = ring.nodes.get(2);
    stuck.work = 17;
    stuck.workSinceNs = ring.now;
    int ms = named("n2");
    int limit = (int) (VirtualNode.STALL_NS / VirtualRing.MS);
    assertTrue(ms >= limit && ms <= limit + NAMED_MS, ms + " ms");
    ring.steps(300);
    assertEquals(FailureCause.STUCK, known("n2").cause());
    assertEquals(17, known("n2").frame());
    assertEquals(List.of("n1", "n3"), known("n2").reporters());
    ring.steps(3000);
    assertEquals(1, ring.master().health().failed(), "one failure while it lasts");
    stuck.work = 0;
    ring.until(() -> at("n2").isEmpty());
  }

  @Test
  void aFailedStageIsNamed() {
    ring.up();
    ring.nodes.get(2).stageFails = true;
    int ms = named("n2", FailureCause.FAILED);
    assertTrue(ms <= NAMED_MS, ms + " ms");
    ring.nodes.get(2).stageFails = false;
    ring.until(() -> at("n2").isEmpty());
  }

  @Test
  void newsGoBothWaysRound() {
    for (int cut : List.of(0, 3)) {
      ring.close();
      ring = VirtualRing.streams(4).up();
      ring.line(cut).cut(true);
      ring.steps(1000);
      ring.kill(2);
      int ms = named("n2");
      assertTrue(ms <= NAMED_MS, ms + " ms");
      String reporter = cut == 0 ? "n3" : "n1";
      assertEquals(List.of(reporter), known("n2").reporters(), "the other way is cut, too");
    }
  }

  @Test
  void aFailureOutlivesItsReporters() {
    ring.close();
    ring = VirtualRing.streams(5).up();
    ring.kill(2);
    named("n2");
    ring.steps(200);
    ring.kill(1);
    ring.kill(3);
    ring.steps(20_000);
    assertTrue(at("n1").isPresent() && at("n2").isPresent() && at("n3").isPresent());
    ring.restart(1);
    ring.restart(2);
    ring.restart(3);
    ring.until(() -> ring.master().health().lasting().isEmpty());
  }

  @Test
  void theRollTellsOrderRolesLayersAddressesAndHops() {
    ring.close();
    ring = VirtualRing.streams(24).up();
    ring.resize(50, IntStream.rangeClosed(1, 17).toArray());
    ring.until(
        () ->
            ring.master().health().members().get(15).range().filter(r -> r.end() > 0).isPresent());
    List<RingMember> members = ring.master().health().members();
    for (int i = 0; i < 24; i++) {
      RingMember member = members.get(i);
      int place = (i + 1) % 24;
      assertEquals("n" + place, member.node());
      assertEquals("tcp://n" + place + ":1", member.address());
      assertEquals(ring.nodes.get(place).role, member.role());
      assertTrue(member.hopNs() > 0);
      if (i < 16) {
        assertEquals(Optional.of(new LayerRange(i + 1, i + 2, false)), member.range());
      }
    }
    assertEquals(RingRole.MASTER, members.getLast().role());
    assertTrue(ring.nodes.get(5).health().members().isEmpty(), "only a master calls the roll");
  }

  @Test
  void whoComesBackHasItsLayersBeforeAnyPacket() {
    ring.up();
    ring.resize(12, 3, 6, 9, 12);
    LayerRange wanted = new LayerRange(6, 9, false);
    assertEquals(wanted, ring.nodes.get(2).range);
    int position = 0;
    for (int life = 0; life < 5; life++) {
      ring.kill(2);
      for (int i = 0; i < 300; i++) {
        position += ring.master().sendData(position, ring.now) ? 1 : 0;
        ring.step();
      }
      VirtualNode back = ring.restart(2);
      for (int i = 0; i < 1000; i++) {
        position += ring.master().sendData(position, ring.now) ? 1 : 0;
        ring.step();
      }
      assertTrue(back.met.size() > 10, "packets flow again");
      assertTrue(back.met.stream().allMatch(wanted::equals), "each packet meets the layers");
      assertTrue(at("n2").isEmpty());
      int lives = life + 1;
      ring.until(() -> ring.master().health().rejoins() == lives);
    }
  }

  @Test
  void theMasterMayRestartAlone() {
    ring.up();
    ring.resize(12, 3, 6, 9, 12);
    ring.kill(0);
    ring.until(() -> ring.failure(ring.nodes.get(2), "n0").isPresent());
    ring.restart(0);
    ring.up();
    ring.until(() -> ring.failure(ring.nodes.get(2), "n0").isEmpty());
    assertEquals(
        Optional.of(new LayerRange(6, 9, false)), ring.master().health().members().get(1).range());
    assertTrue(ring.master().sendData(1, ring.now));
    ring.until(() -> ring.master().arrived == 1);
  }

  @Test
  void aMasterThatStartsLearnsOfAnEarlierFailure() {
    ring.up();
    ring.kill(0);
    ring.kill(2);
    ring.steps(3000);
    ring.restart(0);
    int ms = named("n2");
    assertTrue(ms <= NAMED_MS, ms + " ms");
  }

  @Test
  void datagramsThatGetLostDoNotKeepNewsFromTheMaster() {
    datagrams(5);
    ring.up();
    ring.kill(2);
    int ms = named("n2");
    assertTrue(ms <= NAMED_MS, ms + " ms");
    ring.until(() -> known("n2").reporters().equals(List.of("n1", "n3")));
    assertEquals(FailureCause.SILENT, known("n2").cause());
    ring.restart(2);
    ring.until(() -> at("n2").isEmpty());
    ring.until(() -> ring.master().health().rejoins() == 1);
    ring.line(2).silence(true);
    ms = named("n3", FailureCause.CUT);
    assertTrue(ms <= NAMED_MS + 500, ms + " ms");
  }
}
