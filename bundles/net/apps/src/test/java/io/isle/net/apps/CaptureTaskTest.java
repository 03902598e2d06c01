package io.isle.net.apps;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.NetAppTask;
import io.isle.api.net.NetException;
import io.isle.lib.packet.capture.LinkType;
import io.isle.lib.packet.capture.PcapngWriter;
import io.isle.lib.tile.RxDrop;
import io.isle.lib.tile.TapMark;
import io.isle.lib.tile.TxDrop;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CaptureTaskTest {
  private static final long SECOND_NS = 1_000_000_000;
  private static final long EPOCH_NS = 1_700_000_000L * SECOND_NS;

  @TempDir Path folder;
  private final MemoryPort port = new MemoryPort();

  private NetAppTask open(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.putIfAbsent("out", file().toString());
    Clock clock = Clock.fixed(Instant.ofEpochSecond(EPOCH_NS / SECOND_NS), ZoneOffset.UTC);
    return new CaptureApp(clock).open(port, all);
  }

  private Path file() {
    return folder.resolve("frames.pcapng");
  }

  /** An enhanced packet block, read by the format's description. */
  private record Packet(long timeNs, byte[] bytes, int wireLength, Map<Integer, byte[]> options) {
    long number(int code) {
      ByteBuffer value = ByteBuffer.wrap(options.get(code)).order(ByteOrder.LITTLE_ENDIAN);
      return value.remaining() == 8 ? value.getLong() : value.getInt();
    }

    String comment() {
      return options.containsKey(1) ? new String(options.get(1), StandardCharsets.UTF_8) : "";
    }
  }

  private List<Packet> packets() throws IOException {
    ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(file())).order(ByteOrder.LITTLE_ENDIAN);
    List<Packet> packets = new ArrayList<>();
    while (all.hasRemaining()) {
      int begin = all.position();
      int type = all.getInt();
      int length = all.getInt();
      if (type == 6) {
        assertEquals(0, all.getInt());
        long time = (long) all.getInt() << 32 | Integer.toUnsignedLong(all.getInt());
        byte[] bytes = new byte[all.getInt()];
        int wire = all.getInt();
        all.get(bytes).position((all.position() + 3) & -4);
        Map<Integer, byte[]> options = new HashMap<>();
        for (int code = all.getShort(); code != 0; code = all.getShort()) {
          byte[] value = new byte[all.getShort()];
          all.get(value).position((all.position() + 3) & -4);
          options.put(code, value);
        }
        packets.add(new Packet(time, bytes, wire, options));
      }
      all.position(begin + length);
    }
    return packets;
  }

  @Test
  void factsOfTheTapAreInTheFile() throws IOException {
    NetAppTask task = open(Map.of());
    long now = System.nanoTime();
    byte[] request = Frames.request(100);
    port.put(request, TapMark.received(now - 500, request.length, 3, null));
    port.put(request, TapMark.sent(now - 400, 2000, 0, TxDrop.NO_ROUTE));
    assertEquals(2, task.cycle(now));
    port.lose(7);
    port.put(request, TapMark.received(now - 300, request.length, 1023, RxDrop.NO_APP));
    assertEquals(1, task.cycle(now));
    task.close();
    List<Packet> packets = packets();
    assertEquals(3, packets.size());
    assertArrayEquals(request, packets.get(0).bytes());
    assertEquals(request.length, packets.get(0).wireLength());
    assertEquals(1, packets.get(0).number(2));
    assertEquals(3, packets.get(0).number(6));
    assertEquals("", packets.get(0).comment());
    assertEquals(2, packets.get(1).number(2));
    assertEquals(2000, packets.get(1).wireLength());
    assertEquals("no_route", packets.get(1).comment());
    assertEquals("no_app", packets.get(2).comment());
    assertEquals(1023, packets.get(2).number(6));
    assertEquals(7, packets.get(2).number(4));
    assertEquals(100, packets.get(1).timeNs() - packets.get(0).timeNs());
    assertEquals(100, packets.get(2).timeNs() - packets.get(1).timeNs());
    // the offset to the wall clock was taken when the task was opened, moments before
    long late = packets.get(0).timeNs() - EPOCH_NS;
    assertTrue(Math.abs(late) < 600 * SECOND_NS, late + " ns");
    assertEquals(Map.of("received", 3L, "written", 3L, "lost", 7L), task.counters());
    assertEquals("", task.failure());
  }

  @ParameterizedTest
  @CsvSource({
    "port,9000,2", "port,40000,2", "port,9001,0", "host,198.18.0.1,3", "host,198.18.0.2,3",
    "host,10.0.0.1,0", "dropped,true,1", "dropped,false,4"
  })
  void filtersKeepWhatTheySay(String key, String value, int kept) throws IOException {
    NetAppTask task = open(Map.of(key, value));
    byte[] tcp = Frames.request(8);
    tcp[23] = 6;
    byte[] arp = new byte[60];
    arp[12] = 8;
    arp[13] = 6;
    port.put(Frames.request(8), TapMark.received(0, 50, 0, null));
    port.put(Frames.request(9), TapMark.received(0, 51, 0, RxDrop.CHECKSUM));
    port.put(tcp, TapMark.received(0, 50, 0, null));
    port.put(arp, TapMark.received(0, 60, 0, null));
    assertEquals(4, task.cycle(0));
    task.close();
    assertEquals(kept, packets().size());
    assertEquals((long) kept, task.counters().get("written"));
  }

  @Test
  void longFramesAreCut() throws IOException {
    NetAppTask task = open(Map.of("snap", "64"));
    port.put(Frames.request(500), TapMark.received(0, 542, 0, null));
    task.cycle(0);
    task.close();
    assertEquals(64, packets().getFirst().bytes().length);
    assertEquals(542, packets().getFirst().wireLength());
  }

  @Test
  void theTimeIsTheEnd() throws IOException {
    NetAppTask task = open(Map.of("seconds", "2"));
    assertEquals(0, task.cycle(5));
    assertEquals(5 + 2 * SECOND_NS, task.deadlineNs());
    port.put(Frames.request(1), TapMark.received(0, 43, 0, null));
    assertEquals(1, task.cycle(4 + 2 * SECOND_NS));
    assertEquals(-Errno.ECLOSED, task.cycle(5 + 2 * SECOND_NS));
    assertEquals(1, packets().size());
  }

  @Test
  void framesOfAQuietNetAreInTheFileWhileTheTaskGoesOn() throws IOException {
    NetAppTask task = open(Map.of());
    port.put(Frames.request(1), TapMark.received(0, 43, 0, null));
    task.cycle(0);
    task.cycle(1);
    assertEquals(1, packets().size());
    task.close();
  }

  @Test
  void aFailureOfTheFileIsTheEndWithItsReason() throws IOException {
    OutputStream full =
        new OutputStream() {
          private int left = 200;

          @Override
          public void write(int one) throws IOException {
            if (left-- <= 0) {
              throw new IOException("No space left on device");
            }
          }
        };
    PcapngWriter writer = new PcapngWriter(full, "t", 65535);
    writer.addInterface("n", LinkType.ETHERNET);
    CaptureTask task = new CaptureTask(port, writer, new CaptureFilter(0, 0, false), 0, 0);
    port.put(Frames.request(500), 0);
    assertEquals(-Errno.ECLOSED, task.cycle(0));
    assertEquals("the file cannot be written: No space left on device", task.failure());
    assertEquals(-Errno.ECLOSED, task.cycle(0));
    assertEquals(0, task.counters().get("written"));
  }

  @Test
  void theFileIsForItsOwnerAloneAndNoLinkIsFollowed() throws IOException {
    open(Map.of()).close();
    assertEquals(
        "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file())));
    Path link = Files.createSymbolicLink(folder.resolve("link"), file());
    NetException refusal =
        assertThrows(NetException.class, () -> open(Map.of("out", link.toString())));
    assertEquals(Errno.EIO, refusal.code());
    assertTrue(refusal.getMessage().startsWith("out: "), refusal.getMessage());
  }

  @ParameterizedTest
  @CsvSource({"out,frames", "out,''", "port,70000", "host,x", "snap,13", "seconds,-1", "dropped,1"})
  void badSettingsAreRefusedByTheirKey(String key, String value) {
    NetException refusal = assertThrows(NetException.class, () -> open(Map.of(key, value)));
    assertEquals(Errno.EINVAL, refusal.code());
    assertTrue(refusal.getMessage().startsWith(key), refusal.getMessage());
  }
}
