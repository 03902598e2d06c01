package io.isle.net.xdp.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.api.net.NetState;
import io.isle.api.net.tile.Tiles;
import java.io.IOException;
import java.net.DatagramSocket;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Versions of tiles that come and go. */
@Timeout(120)
class OfferedTilesTest extends NetFixture {
  private final byte[] into = new byte[64];

  private DatagramSocket start() throws IOException {
    core.create("n", settings());
    app("back", "echo", "own");
    running();
    until(() -> app("back").running());
    DatagramSocket client = client();
    client.setSoTimeout(20_000);
    return client;
  }

  private void exchange(DatagramSocket client, int number) throws IOException {
    client.send(packet(number, PORT));
    receive(client, into);
    assertEquals(number, ByteBuffer.wrap(into).getInt());
  }

  @Test
  void framesMoveWhileAVersionIsAwayAndEndSoonWithoutAnother() throws IOException {
    try (DatagramSocket client = start()) {
      core.remove(tiles);
      assertEquals(NetState.RUNNING, core.find("n").orElseThrow().state());
      exchange(client, 1);
      until(() -> core.find("n").orElseThrow().state() == NetState.WAITING);
      client.send(packet(2, PORT));
      core.add(tiles);
      receive(client, into);
      assertEquals(2, ByteBuffer.wrap(into).getInt());
    }
  }

  @Test
  void aBrokenVersionIsNamedAndReplaced() throws IOException {
    Tiles broken =
        (memory, calls) -> {
          throw new NetException(Errno.EIO, "a defect of the test");
        };
    try (DatagramSocket client = start()) {
      core.remove(tiles);
      exchange(client, 1);
      core.add(broken);
      until(() -> core.find("n").orElseThrow().reason().contains("a defect of the test"));
      core.remove(broken);
      core.add(tiles);
      running();
      until(() -> app("back").running());
      exchange(client, 2);
    }
  }

  /** Code that has gone opens no tile, but the frame of the crash is there for the next version. */
  @Test
  void aTileThatCrashesBehindItsVersionEnds() throws IOException {
    core.remove(tiles);
    CrashingTiles crashing = new CrashingTiles(0);
    core.add(crashing);
    try (DatagramSocket client = start()) {
      exchange(client, 1);
      long opened = counter("tile", "opened");
      core.remove(crashing);
      crashing.crashes.set(1);
      client.send(packet(2, PORT));
      until(() -> core.find("n").orElseThrow().state() == NetState.WAITING);
      assertEquals(0, crashing.crashes.get());
      assertEquals(opened, counter("tile", "opened"));
      core.add(tiles);
      receive(client, into);
      assertEquals(2, ByteBuffer.wrap(into).getInt());
      exchange(client, 3);
      assertEquals(3, counter("rx", "seen"));
    }
  }
}
