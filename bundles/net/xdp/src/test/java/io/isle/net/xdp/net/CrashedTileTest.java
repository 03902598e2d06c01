package io.isle.net.xdp.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.net.xdp.net.PeerNet.Plan;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One of two tiles crashes, and the other one does not notice. */
@Timeout(120)
class CrashedTileTest {
  private static final int CRASHING = 1;

  @TempDir Path folder;

  private static Set<String> sockets() throws IOException {
    Set<String> sockets = new TreeSet<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path one : all) {
        // the descriptor of the list itself is gone
        String target = Files.exists(one) ? Files.readSymbolicLink(one).toString() : "";
        if (target.startsWith("socket:")) {
          sockets.add(target);
        }
      }
    }
    return sockets;
  }

  @Test
  void theOthersSocketsAndFiguresAreLeftAlone() throws IOException {
    CrashingTiles tiles = new CrashingTiles(CRASHING);
    try (PeerNet net = new PeerNet(Plan.of(2, "drv"), tiles, folder)) {
      Set<String> before = sockets();
      long opened = net.counter(CRASHING, "tile", "opened");
      long other = net.counter(0, "tile", "opened");
      int burst = 50;
      int sent = 0;
      for (int crash = 1; crash <= 4; crash++) {
        tiles.crashes.set(1);
        for (int queue = 0; queue < 2; queue++) {
          net.peer.send(queue, sent, burst, "good");
          sent += burst;
        }
        net.account(sent);
        long reopened = opened + crash;
        net.until(() -> net.counter(CRASHING, "tile", "opened") == reopened);
        assertEquals((long) burst * crash, net.counter(0, "rx", "seen"));
        assertEquals((long) burst * crash, net.counter(CRASHING, "rx", "seen"));
      }
      assertEquals(sent, net.peer.take().distinct());
      assertEquals(0, net.kernelLost());
      assertEquals(other, net.counter(0, "tile", "opened"), "the other tile was not opened anew");
      assertTrue(sockets().containsAll(before), "all sockets are those of before");
    }
  }
}
