package io.isle.net.xdp.attach;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.isle.core.testing.Until;
import io.isle.lib.ffi.PeerCredentials;
import io.isle.lib.tango.Frag;
import io.isle.lib.tango.Fseq;
import io.isle.lib.tango.LinkReader;
import io.isle.lib.tango.Mcache;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs in C attach to a server, as a user without rights where this process may choose. */
@Timeout(120)
class AttachServerTest {
  private static final int TILES = 2;
  private static final boolean ROOT = PeerCredentials.ownUid() == 0;

  @TempDir Path folder;
  private final FakeOwner owner = new FakeOwner(TILES);
  private final Path release = Path.of(System.getProperty("isle.native")).resolve("net-peer");
  private Path path;
  private AttachServer server;

  @BeforeEach
  void start() throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    path = folder.resolve("net.sock");
    owner.users.put("counter", ROOT ? Peer.NOBODY : PeerCredentials.ownUid());
    server = AttachServer.start("test", path, 0666, owner, owner);
  }

  @AfterEach
  void stop() {
    server.close();
    owner.close();
    assertFalse(Files.exists(path));
  }

  private Peer peer(String... arguments) {
    return new Peer(release, path, arguments);
  }

  private Peer attached() {
    Peer peer = peer("counter");
    assertEquals("attached 3 0 2 2048 c6120002 9000 65535", peer.line());
    return peer;
  }

  @Test
  void memoryOfTheNetIsReadOnlyByTheKernel() throws InterruptedException {
    try (Peer peer = attached()) {
      assertEquals("21 0", peer.ask("protect"));
      assertEquals(0, peer.end());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"release", "asan"})
  void aMillionFramesAreCountedWholeOrAsLost(String flavour) throws InterruptedException {
    Path program = release.resolveSibling("../" + flavour + "/net-peer").normalize();
    assumeTrue(Files.exists(program), flavour + " is not built");
    int frames = flavour.equals("release") ? 500_000 : 50_000;
    try (Peer peer = new Peer(program, path, "counter")) {
      assertFalse(peer.line().isEmpty());
      peer.tell("count " + TILES * frames);
      for (int i = 0; i < frames; i++) {
        for (int tile = 0; tile < TILES; tile++) {
          owner.tile(tile).publish(64 + 8 * (i & 127));
        }
      }
      String[] counts = peer.line().split(" ");
      assertEquals(4, counts.length, String.join(" ", counts));
      assertEquals(TILES * frames, Long.parseLong(counts[0]) + Long.parseLong(counts[1]));
      assertEquals("0", counts[2], "frames outside of their memory");
      assertEquals("0", counts[3], "wrong frames");
      assertTrue(Long.parseLong(counts[0]) > 0);
      assertEquals(0, peer.end());
    }
  }

  @Test
  void framesThatAnAppKeepsUpWithAreAllSeen() throws InterruptedException {
    try (Peer peer = attached()) {
      for (int round = 1; round <= 50; round++) {
        for (int i = 0; i < 100; i++) {
          owner.tile(i & 1).publish(60 + i);
        }
        String counts = peer.ask((round & 1) == 0 ? "copy 100" : "count 100");
        assertEquals("100 0 0 0", counts);
      }
      assertEquals(0, peer.end());
    }
  }

  @Test
  void framesOutsideOfTheirMemoryAreNotTouched() throws InterruptedException {
    try (Peer peer = attached()) {
      FakeTile tile = owner.tile(0);
      long end = 2048L * (FakeOwner.DEPTH + 1) / 64;
      tile.put(end, 64, 0);
      tile.put(end - 1, 64, 1);
      tile.put(0xFFFF_FFFFL, 65535, 63);
      tile.put(0, 13, 0);
      tile.publish(100);
      assertEquals("1 0 4 0", peer.ask("count 1"));
      assertEquals(0, peer.end());
    }
  }

  /** Sums of frames that arrive in order, as a tile reads them. */
  private void take(AppLink link, int frames, int bytes) {
    LinkReader reader = new LinkReader(Mcache.open(link.memory()), link.seq0());
    Fseq[] progress = {Fseq.open(link.progress(0)), Fseq.open(link.progress(1))};
    MemorySegment memory = link.memory();
    for (long i = 0; i < frames; ) {
      if (reader.poll() != 0) {
        Thread.onSpinWait();
        continue;
      }
      Frag frag = reader.frag();
      assertEquals(i, frag.sig());
      assertEquals(bytes, frag.size());
      for (int at = 0; at + 8 <= bytes; at += 8) {
        assertEquals(
            i, memory.get(ValueLayout.JAVA_LONG_UNALIGNED, (frag.chunk() << 6) + at));
      }
      assertEquals(0, reader.take(), "the app has overwritten a frame that it had no credit for");
      i++;
      progress[0].seq(i);
      progress[1].seq(i);
    }
  }

  @Test
  void framesOfAnAppArriveInOrderWithItsCreditsAndItsBell() throws InterruptedException {
    try (Peer peer = attached()) {
      AppLink link = owner.link();
      assertEquals(0, owner.bell(0).drain());
      // tile 1 sleeps, tile 0 does not
      link.progress(1).set(ValueLayout.JAVA_LONG, 32, 1);
      peer.tell("send 20000 120");
      take(link, 20_000, 120);
      assertEquals("20000", peer.line());
      assertEquals(20_000, Mcache.open(link.memory()).produced());
      assertEquals(0, owner.bell(0).drain());
      long rung = owner.bell(1).drain();
      assertTrue(rung >= 20_000 / 16, rung + " times");
      assertEquals(0, peer.end());
    }
  }

  @Test
  void garbageOfAnAppStaysInItsLink() throws InterruptedException {
    try (Peer hostile = attached();
        Peer good = peer("counter")) {
      assertFalse(good.line().isEmpty());
      assertEquals("spoilt", hostile.ask("spoil"));
      owner.tile(0).publish(100);
      assertEquals("1 0 0 0", good.ask("count 1"));
      assertEquals("1 0 0 0", hostile.ask("count 1"));
      assertEquals(0, good.end());
      hostile.kill();
    }
    assertTrue(Until.holds(() -> owner.attached() == 0));
  }

  @Test
  void theEndOfAProcessIsTheEndOfItsAttachment() throws InterruptedException {
    try (Peer peer = attached()) {
      assertEquals(1, owner.attached());
      peer.kill();
    }
    assertTrue(Until.holds(() -> owner.log.size() == 2));
    assertEquals(
        List.of("attached counter 0", "detached counter the process has detached"), owner.log);
    assertEquals(0, owner.attached());
  }

  @Test
  void theEndOfTheAppReachesTheProcess() throws InterruptedException {
    try (Peer peer = attached()) {
      assertEquals("0", peer.ask("ended"));
      peer.tell("wait");
      server.end("counter");
      assertEquals("1", peer.line());
      assertEquals(0, peer.end());
    }
  }

  @Test
  void theEndOfTheNetReachesTheProcess() throws InterruptedException {
    try (Peer peer = attached()) {
      peer.tell("wait");
      server.close();
      assertEquals("1", peer.line());
      assertEquals(0, owner.attached());
      assertEquals(0, peer.end());
    }
  }

  @Test
  void anotherUserIsRefusedWithTheReason() throws InterruptedException {
    owner.users.put("counter", PeerCredentials.ownUid() + 77);
    try (Peer peer = peer("counter", "keep")) {
      assertEquals("", peer.line());
      assertEquals(3, peer.end());
    }
    assertTrue(Until.holds(() -> owner.log.size() == 1));
    String refusal = owner.log.getFirst();
    assertTrue(refusal.startsWith("refused counter 13 app counter is for"), refusal);
  }
}
