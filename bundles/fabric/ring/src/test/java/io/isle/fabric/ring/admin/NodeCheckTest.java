package io.isle.fabric.ring.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.LinkInfo;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingFinding;
import io.isle.api.fabric.RingFinding.Topic;
import io.isle.api.fabric.RingFinding.Verdict;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.fabric.RingProcess;
import io.isle.api.fabric.RingRole;
import io.isle.api.fabric.RingSide;
import io.isle.lib.ffi.SocketErrors;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NodeCheckTest {
  private static final LinkInfo UP =
      Infos.link(RingSide.PREV, "tcp://127.0.0.1:1", PortState.UP, "");

  private int failure;
  private int mtu = 1500;

  private RingFinding find(RingNodeInfo node, RingSide side, Topic topic, RingNodeInfo... others) {
    NodeCheck check =
        new NodeCheck(
            node,
            List.of(others),
            Set.of("tcp", "udp"),
            any -> failure,
            place -> mtu == 0 ? OptionalInt.empty() : OptionalInt.of(mtu));
    return check.run().stream()
        .filter(one -> one.side().equals(Optional.ofNullable(side)) && one.topic() == topic)
        .findFirst()
        .orElseThrow();
  }

  private static RingNodeInfo connecting(String reason) {
    return to(Infos.link(RingSide.NEXT, "tcp://10.0.0.2:9", PortState.CONNECTING, reason));
  }

  private static RingNodeInfo to(LinkInfo next) {
    return Infos.node("n", RingRole.WORKER, UP, next);
  }

  @Test
  void aFailedConnectHasItsCauseAndItsRemedy() {
    RingNodeInfo node = connecting("");
    assertEquals(Verdict.OPEN, find(node, RingSide.NEXT, Topic.PATH).verdict());
    node = connecting("refused");
    failure = SocketErrors.ECONNREFUSED;
    RingFinding refused = find(node, RingSide.NEXT, Topic.PATH);
    assertEquals(Verdict.REFUSED, refused.verdict());
    assertEquals(
        "start the next node, or correct the address: ring:set n next=...", refused.remedy());
    failure = 110;
    RingFinding filtered = find(node, RingSide.NEXT, Topic.PATH);
    assertEquals(Verdict.FILTERED, filtered.verdict());
    assertTrue(filtered.remedy().contains("firewall for tcp://10.0.0.2:9"), filtered.remedy());
    failure = SocketErrors.EHOSTUNREACH;
    assertEquals(Verdict.FAILED, find(node, RingSide.NEXT, Topic.PATH).verdict());
  }

  @Test
  void datagramsAreNoConnectionAndTheirFailuresAreFound() {
    String address = "udp://10.0.0.2:9";
    RingFinding sent =
        find(to(Infos.link(RingSide.NEXT, address, PortState.UP, "")), RingSide.NEXT, Topic.PATH);
    assertEquals(Verdict.OK, sent.verdict());
    assertEquals("datagrams go to udp://10.0.0.2:9", sent.text());
    RingNodeInfo node = to(Infos.link(RingSide.NEXT, address, PortState.UP, "refused"));
    failure = SocketErrors.ECONNREFUSED;
    assertEquals(Verdict.REFUSED, find(node, RingSide.NEXT, Topic.PATH).verdict());
    failure = Errno.EMSGSIZE;
    assertEquals(Verdict.FAILED, find(node, RingSide.NEXT, Topic.PATH).verdict());
  }

  @Test
  void anotherDialectOfANodeElsewhereIsKnownByTheLink() {
    RingNodeInfo node =
        connecting("the next node does not speak dialect isle: set next.dialect = leap");
    assertEquals(Verdict.FAILED, find(node, RingSide.NEXT, Topic.DIALECT).verdict());
    assertEquals(Verdict.OK, find(connecting("x"), RingSide.NEXT, Topic.DIALECT).verdict());
  }

  @Test
  void aProcessThatDoesNotRunIsNamedInsteadOfTheStage() {
    RingNodeInfo node = connecting("");
    NodeCheck check = new NodeCheck(node, List.of(), Set.of("tcp"), any -> 0);
    List<RingFinding> well =
        check.process(Optional.of(new RingProcess(OptionalLong.of(9), 1, ""))).run();
    assertEquals(Topic.PROCESS, well.getFirst().topic());
    assertEquals("process 9 runs", well.getFirst().text());
    assertEquals(Topic.STAGE, well.get(1).topic());
    List<RingFinding> ill =
        new NodeCheck(node, List.of(), Set.of("tcp"), any -> 0)
            .process(
                Optional.of(new RingProcess(OptionalLong.empty(), 2, "it ended; look at the log")))
            .run();
    assertEquals(Verdict.FAILED, ill.getFirst().verdict());
    assertEquals("it ended", ill.getFirst().text());
    assertEquals("look at the log", ill.getFirst().remedy());
    assertTrue(ill.stream().noneMatch(one -> one.topic() == Topic.STAGE));
  }

  @Test
  void aListenerWaitsUnlessItsNeighbourIsConnected() {
    RingNodeInfo node =
        Infos.node(
            "n",
            RingRole.WORKER,
            Infos.link(RingSide.PREV, "tcp://127.0.0.1:1", PortState.LISTENING, ""),
            Infos.link(RingSide.NEXT, "tcp://127.0.0.1:2", PortState.UP, ""));
    assertEquals(Verdict.WARNING, find(node, RingSide.PREV, Topic.PATH).verdict());
    RingNodeInfo before =
        Infos.up("before", RingRole.MASTER, "tcp://127.0.0.1:2", "tcp://127.0.0.1:1");
    RingFinding known = find(node, RingSide.PREV, Topic.PATH, before, node);
    assertEquals(Verdict.OK, known.verdict());
    assertEquals("before is connected, and has not sent a packet yet", known.text());
  }

  @Test
  void differentDialectsAreNamedWithTheCommand() {
    RingNodeInfo node =
        to(Infos.link(RingSide.NEXT, "tcp://127.0.0.1:2", PortState.CONNECTING, ""));
    RingNodeInfo other =
        Infos.node(
            "o",
            RingRole.MASTER,
            Infos.link(
                RingSide.PREV, "tcp://127.0.0.1:2", Dialect.ISLE, PortState.UP, "", List.of()),
            Infos.link(RingSide.NEXT, "tcp://127.0.0.1:1", PortState.UP, ""));
    RingFinding found = find(node, RingSide.NEXT, Topic.DIALECT, node, other);
    assertEquals(Verdict.FAILED, found.verdict());
    assertEquals("this end uses leap, but o isle", found.text());
    assertEquals("ring:set o prev.dialect=leap", found.remedy());
    assertEquals(Verdict.OK, find(node, RingSide.PREV, Topic.DIALECT, node, other).verdict());
  }

  @Test
  void theMtuOfTheWayIsComparedWithTheDatagrams() {
    RingNodeInfo node = to(Infos.link(RingSide.NEXT, "udp://10.0.0.2:9", PortState.UP, ""));
    assertEquals(
        "the way takes packets of 1500 bytes; datagrams need 304",
        find(node, RingSide.NEXT, Topic.MTU).text());
    mtu = 303;
    assertEquals(Verdict.FAILED, find(node, RingSide.NEXT, Topic.MTU).verdict());
    mtu = 0;
    assertEquals(Verdict.OPEN, find(node, RingSide.NEXT, Topic.MTU).verdict());
  }

  @Test
  void smallBuffersAndMissingTransportsHaveTheirRemedy() {
    RingNodeInfo node =
        to(
            Infos.link(
                RingSide.NEXT,
                "ib://x",
                Dialect.LEAP,
                PortState.FAILED,
                "",
                List.of("send buffer 4 of 8 B; raise net.core.wmem_max to 8")));
    RingFinding buffers = find(node, RingSide.NEXT, Topic.BUFFERS);
    assertEquals(Verdict.WARNING, buffers.verdict());
    assertEquals("raise net.core.wmem_max to 8", buffers.remedy());
    RingFinding transport = find(node, RingSide.NEXT, Topic.TRANSPORT);
    assertEquals(Verdict.FAILED, transport.verdict());
    assertTrue(transport.remedy().endsWith("choose one of tcp, udp"), transport.remedy());
    assertEquals(Verdict.OK, find(node, null, Topic.STAGE).verdict());
  }

  @Test
  void theKernelKnowsTheLoopbackInterface() {
    assertTrue(RouteMtu.of("127.0.0.1:9").orElseThrow() >= 1500);
    assertTrue(RouteMtu.of("nothing").isEmpty());
  }
}
