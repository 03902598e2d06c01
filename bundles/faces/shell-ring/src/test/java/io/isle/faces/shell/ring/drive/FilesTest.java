package io.isle.faces.shell.ring.drive;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FilesTest {
  private static final int HEADER = 8;

  @TempDir Path folder;

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  @Test
  void payloadsAreTheFileOnEndWithZerosBehindIt() throws Exception {
    for (int payload : List.of(4, 256, 700_000, 2_000_000)) {
      for (int size : List.of(0, 1, 4, 256, 1 << 20, (1 << 20) + 1, 2_100_001)) {
        if (size / payload < 300_000) {
          byte[] bytes = random(size);
          Path file = Files.write(folder.resolve("in"), bytes);
          int count = Math.ceilDiv(size, payload);
          byte[] padded = Arrays.copyOf(bytes, count * payload);
          assertArrayEquals(padded, read(file, payload, count), size + " by " + payload);
        }
      }
    }
  }

  private static byte[] read(Path file, int payload, int count) throws Exception {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try (FilePayloads payloads = FilePayloads.open(file, payload)) {
      assertEquals(count, payloads.count());
      assertEquals(Files.size(file), payloads.size());
      while (payloads.next()) {
        MemorySegment part = payloads.memory().asSlice(payloads.offset(), payload);
        all.write(part.toArray(ValueLayout.JAVA_BYTE));
      }
      assertFalse(payloads.next());
    }
    return all.toByteArray();
  }

  @Test
  void aFileThatBecomesShorterIsAnError() throws Exception {
    Path file = Files.write(folder.resolve("in"), random(3_000_000));
    try (FilePayloads payloads = FilePayloads.open(file, 1 << 20)) {
      assertTrue(payloads.next());
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        FileChannel ignored = channel.truncate(1_500_000);
      }
      EOFException e = assertThrows(EOFException.class, payloads::next);
      assertTrue(e.getMessage().endsWith("shorter: 1500000 of 3000000 bytes"), e.getMessage());
    }
  }

  @Test
  void missingFilesAndDirectoriesAreNamed() {
    IOException none =
        assertThrows(IOException.class, () -> FilePayloads.open(folder.resolve("no"), 4));
    assertTrue(none.getMessage().endsWith("no does not exist"));
    IOException directory = assertThrows(IOException.class, () -> FilePayloads.open(folder, 4));
    assertTrue(directory.getMessage().endsWith("is a directory; name a file"));
  }

  private Path fifo() throws Exception {
    Path fifo = folder.resolve("fifo");
    assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
    return fifo;
  }

  @Test
  void aFifoGivesEachPayloadAsSoonAsItIsThere() throws Exception {
    Path fifo = fifo();
    byte[] bytes = random(25);
    CountDownLatch first = new CountDownLatch(1);
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(
            () -> {
              try (OutputStream out = Files.newOutputStream(fifo)) {
                out.write(bytes, 0, 15);
                first.await();
                out.write(bytes, 15, 10);
              } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try (FilePayloads payloads = FilePayloads.open(fifo, 10)) {
      assertEquals(Long.MAX_VALUE, payloads.count());
      while (payloads.next()) {
        all.write(payloads.memory().asSlice(payloads.offset(), 10).toArray(ValueLayout.JAVA_BYTE));
        first.countDown();
      }
      assertFalse(payloads.next());
      assertEquals(25, payloads.size());
    }
    writer.get();
    assertArrayEquals(Arrays.copyOf(bytes, 30), all.toByteArray());
  }

  @Test
  void anInterruptEndsTheWaitForTheWriterOfAFifo() throws Exception {
    try (FilePayloads payloads = FilePayloads.open(fifo(), 10)) {
      Thread.currentThread().interrupt();
      assertThrows(InterruptedException.class, payloads::next);
    }
  }

  @Test
  void aDeviceIsReadLikeAFifo() throws Exception {
    try (FilePayloads payloads = FilePayloads.open(Path.of("/dev/zero"), 2_000_000)) {
      assertTrue(payloads.next());
      assertTrue(payloads.next());
      assertEquals(4_000_000, payloads.size());
    }
    try (FilePayloads payloads = FilePayloads.open(Path.of("/dev/null"), 4)) {
      assertFalse(payloads.next());
    }
  }

  private static void reply(ReplyFile file, byte[] data, int payload, int index, int noReply)
      throws IOException {
    byte[] packet = new byte[HEADER + payload];
    int from = (index - noReply) * payload;
    int length = Math.min(payload, data.length - from);
    Arrays.fill(packet, (byte) 0xee);
    System.arraycopy(data, from, packet, HEADER, length);
    file.reply(index, MemorySegment.ofArray(packet), HEADER);
  }

  @Test
  void repliesReplaceTheFileAtTheEnd() throws IOException {
    for (int payload : List.of(64, 1000, 1_500_000)) {
      byte[] data = random(3_200_001);
      Path out = Files.writeString(folder.resolve("out"), "old");
      try (ReplyFile file = ReplyFile.open(out, 2, payload)) {
        for (int i = 2; (i - 2) * payload < data.length; i++) {
          reply(file, data, payload, i, 2);
        }
        assertEquals("old", Files.readString(out));
        assertEquals(data.length, file.commit(new BitSet(), data.length));
      }
      assertArrayEquals(data, Files.readAllBytes(out));
      assertEquals(List.of("out"), names());
    }
  }

  @Test
  void lostRepliesLeaveNoHole() throws IOException {
    Random random = new Random(1);
    for (int turn = 0; turn < 200; turn++) {
      int payload = turn % 10 == 0 ? 600_000 : 100;
      byte[] data = random(random.nextInt(12 * payload) + 1);
      int count = Math.ceilDiv(data.length, payload);
      BitSet lost = new BitSet();
      ByteArrayOutputStream expected = new ByteArrayOutputStream();
      Path out = folder.resolve("out");
      try (ReplyFile file = ReplyFile.open(out, 0, payload)) {
        for (int i = 0; i < count; i++) {
          if (random.nextInt(3) == 0) {
            lost.set(i);
          } else {
            int from = i * payload;
            expected.write(data, from, Math.min(payload, data.length - from));
          }
        }
        // one may come late
        for (int i = lost.nextClearBit(0) + 1; i < count; i++) {
          if (!lost.get(i)) {
            reply(file, data, payload, i, 0);
          }
        }
        if (lost.nextClearBit(0) < count) {
          reply(file, data, payload, lost.nextClearBit(0), 0);
        }
        assertEquals(expected.size(), file.commit(lost, data.length));
      }
      assertArrayEquals(expected.toByteArray(), Files.readAllBytes(out), "turn " + turn);
    }
  }

  @Test
  void withoutTheEndTheOldFileStays() throws IOException {
    Path out = Files.writeString(folder.resolve("out"), "old");
    try (ReplyFile file = ReplyFile.open(out, 0, 64)) {
      reply(file, random(128), 64, 0, 0);
      assertEquals(2, names().size());
    }
    assertEquals("old", Files.readString(out));
    assertEquals(List.of("out"), names());
  }

  @Test
  void linksAreFollowedAndOtherFilesAreLeftAlone() throws IOException {
    Path target = Files.writeString(folder.resolve("target"), "old");
    Path link = Files.createSymbolicLink(folder.resolve("link"), target);
    try (ReplyFile file = ReplyFile.open(link, 0, 4)) {
      reply(file, new byte[] {1, 2, 3, 4}, 4, 0, 0);
      assertEquals(4, file.commit(new BitSet(), 4));
    }
    assertTrue(Files.isSymbolicLink(link));
    assertArrayEquals(new byte[] {1, 2, 3, 4}, Files.readAllBytes(target));
    for (Path wrong : List.of(folder, Path.of("/dev/null"), Path.of("/"))) {
      assertThrows(IOException.class, () -> ReplyFile.open(wrong, 0, 4));
    }
    Path dangling = Files.createSymbolicLink(folder.resolve("dangling"), folder.resolve("none"));
    assertThrows(IOException.class, () -> ReplyFile.open(dangling, 0, 4));
    assertThrows(IOException.class, () -> ReplyFile.open(folder.resolve("none/out"), 0, 4));
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
