package io.isle.net.xdp.attach;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.core.testing.Until;
import io.isle.lib.ffi.PeerCredentials;
import io.isle.lib.packet.Drop;
import io.isle.lib.packet.Ipv4;
import io.isle.lib.packet.NetSig;
import io.isle.lib.packet.Udp;
import io.isle.lib.packet.UdpFrame;
import io.isle.lib.tango.Frag;
import io.isle.lib.tango.LinkReader;
import io.isle.lib.tango.Mcache;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The app on docs/net-attach.md compiles without a warning, and sends datagrams back. */
@Timeout(60)
class AttachPageTest {
  private static final Path ROOT = Path.of("..", "..", "..").toAbsolutePath().normalize();
  private static final int CLIENT = 0xC6120001;
  private static final int SERVER = 0xC6120002;

  @TempDir Path folder;

  private Path compile() throws IOException, InterruptedException {
    String page = Files.readString(ROOT.resolve("docs/net-attach.md"));
    String source =
        page.lines()
            .dropWhile(line -> !line.startsWith("    #include"))
            .map(line -> line.startsWith("    ") ? line.substring(4) : line)
            .collect(Collectors.joining("\n", "", "\n"));
    Path program = folder.resolve("echo");
    Files.writeString(folder.resolve("echo.c"), source);
    Process compiler =
        new ProcessBuilder(
                "cc", "-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-pedantic",
                "-I" + ROOT.resolve("native-shims/include"), "-o", program.toString(),
                folder.resolve("echo.c").toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, compiler.waitFor(), said);
    return program;
  }

  @Test
  void theAppSendsDatagramsBack() throws IOException, InterruptedException {
    Path program = compile();
    Path path = folder.resolve("net.sock");
    try (FakeOwner owner = new FakeOwner(1)) {
      owner.users.put("echo", PeerCredentials.ownUid());
      AttachServer server = AttachServer.start("test", path, 0600, owner, owner);
      try (Peer app = new Peer(program, path, "echo")) {
        assertTrue(Until.holds(() -> owner.attached() == 1));
        MemorySegment sent = MemorySegment.ofArray(new byte[100]);
        int bytes = UdpFrame.write(sent, 0, CLIENT, 40_000, SERVER, 9000, 58);
        AppLink link = owner.link();
        LinkReader reader = new LinkReader(Mcache.open(link.memory()), 0);
        for (int i = 0; i < 100; i++) {
          owner.tile(0).publish(sent, bytes);
        }
        for (int i = 0; i < 100; i++) {
          assertTrue(Until.holds(() -> reader.poll() == 0));
          check(link.memory(), reader.frag(), bytes);
          assertEquals(0, reader.take());
        }
        server.close();
        assertEquals("100 frames, 0 lost", app.line());
        assertEquals(0, app.end());
      } finally {
        server.close();
      }
    }
  }

  private static void check(MemorySegment memory, Frag frag, int bytes) {
    long at = frag.chunk() << 6;
    assertEquals(bytes, frag.size());
    assertEquals(Drop.NONE, UdpFrame.check(memory, at, bytes, true));
    assertEquals(SERVER, Ipv4.source(memory, UdpFrame.ip(at)));
    assertEquals(CLIENT, Ipv4.destination(memory, UdpFrame.ip(at)));
    long udp = UdpFrame.udp(memory, at);
    assertEquals(9000, Udp.sourcePort(memory, udp));
    assertEquals(40_000, Udp.destinationPort(memory, udp));
    assertEquals(NetSig.of(CLIENT, CLIENT, 40_000, 0, 42), frag.sig());
  }
}
