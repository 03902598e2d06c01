package io.isle.fabric.ring.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.fabric.RingRole;
import java.util.List;
import org.junit.jupiter.api.Test;

class RingOrderTest {
  private static List<String> order(RingNodeInfo... nodes) {
    return RingOrder.of(List.of(nodes)).stream().map(RingNodeInfo::name).toList();
  }

  @Test
  void nodesStandAlongTheirLinksFromTheMasterOn() {
    assertEquals(
        List.of("z", "b", "a"),
        order(
            Infos.up("a", RingRole.TAIL, "tcp://127.0.0.1:3", "tcp://127.0.0.1:1"),
            Infos.up("b", RingRole.WORKER, "tcp://127.0.0.1:2", "tcp://127.0.0.1:3"),
            Infos.up("z", RingRole.MASTER, "tcp://127.0.0.1:1", "tcp://127.0.0.1:2")));
  }

  @Test
  void aListenerOfAllInterfacesIsFoundByTheLoopbackAddressOnly() {
    RingNodeInfo near = Infos.up("a", RingRole.WORKER, "tcp://0.0.0.0:3", "tcp://10.0.0.9:1");
    RingNodeInfo from = Infos.up("b", RingRole.WORKER, "tcp://127.0.0.1:9", "tcp://127.0.0.1:3");
    RingNodeInfo far = Infos.up("c", RingRole.WORKER, "tcp://127.0.0.1:8", "tcp://10.0.0.9:3");
    assertEquals(List.of("b", "a"), order(near, from));
    assertEquals(List.of("a", "c"), order(near, far));
  }

  @Test
  void partsOfARingOnOtherMachinesAndCirclesWithoutAMasterKeepAllNodes() {
    assertEquals(
        List.of("b", "a", "c", "d"),
        order(
            Infos.up("a", RingRole.WORKER, "shm://a", "tcp://10.0.0.9:1"),
            Infos.up("b", RingRole.WORKER, "tcp://10.0.0.1:1", "shm://a"),
            Infos.up("d", RingRole.RELAY, "shm://d", "shm://c"),
            Infos.up("c", RingRole.RELAY, "shm://c", "shm://d")));
  }
}
