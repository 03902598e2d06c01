package io.isle.lib.packet.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.isle.lib.packet.UdpFrame;
import java.io.BufferedOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Written files are read by tcpdump, frame for frame; skipped where tcpdump is not installed. */
class TcpdumpTest {
  private static final int FRAMES = 50;
  private static final long BEGIN_NS = 1_700_000_000_123_456_789L;

  @TempDir private Path folder;

  @BeforeEach
  void isInstalled() {
    assumeTrue(
        Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
            .anyMatch(path -> Files.isExecutable(Path.of(path, "tcpdump"))),
        "tcpdump is not installed");
  }

  /** Writes a frame. */
  @FunctionalInterface
  private interface Sink {
    void write(long timeNs, MemorySegment frame, int length) throws IOException;
  }

  /** What tcpdump should say: time and bytes of each frame. */
  private static List<String> write(Sink sink) throws IOException {
    Random random = new Random(7);
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < FRAMES; i++) {
      byte[] bytes = new byte[42 + random.nextInt(1400)];
      random.nextBytes(bytes);
      MemorySegment frame = MemorySegment.ofArray(bytes);
      int ignored = UdpFrame.write(frame, 0, 0x0A000001, 7, 0x0A000002, 9, bytes.length - 42);
      long time = BEGIN_NS + i * 1_000_000_007L;
      sink.write(time, frame, bytes.length);
      expected.add(line(time, frame.toArray(ValueLayout.JAVA_BYTE)));
    }
    return expected;
  }

  private static String line(long timeNs, byte[] frame) {
    return String.format(
        Locale.ROOT,
        "%d.%09d %s",
        timeNs / 1_000_000_000L,
        timeNs % 1_000_000_000L,
        HexFormat.of().formatHex(frame));
  }

  private static OutputStream stream(Path file) throws IOException {
    return new BufferedOutputStream(Files.newOutputStream(file));
  }

  private static List<String> read(Path file) throws Exception {
    Process process =
        new ProcessBuilder("tcpdump", "-nn", "--nano", "-tt", "-xx", "-r", "-")
            .redirectInput(file.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<String> frames = new ArrayList<>();
    try (InputStream out = process.getInputStream()) {
      for (String line : new String(out.readAllBytes(), StandardCharsets.UTF_8).split("\n", -1)) {
        if (line.startsWith("\t0x")) {
          String bytes = line.substring(line.indexOf(':') + 1).replace(" ", "");
          frames.set(frames.size() - 1, frames.getLast() + bytes);
        } else if (!line.isEmpty()) {
          frames.add(line.substring(0, line.indexOf(' ') + 1));
        }
      }
    }
    assertEquals(0, process.waitFor());
    return frames;
  }

  @Test
  void pcapIsRead() throws Exception {
    Path file = folder.resolve("x.pcap");
    List<String> expected;
    try (PcapWriter writer = new PcapWriter(stream(file), LinkType.ETHERNET, 65535)) {
      expected = write((time, frame, length) -> writer.write(time, frame, 0, length));
    }
    assertEquals(expected, read(file));
  }

  @Test
  void pcapngIsRead() throws Exception {
    Path file = folder.resolve("x.pcapng");
    List<String> expected;
    try (PcapngWriter writer = new PcapngWriter(stream(file), "isle", 65535)) {
      int id = writer.addInterface("va", LinkType.ETHERNET);
      PcapngWriter.Facts facts = new PcapngWriter.Facts(Direction.OUTBOUND, 3, 7, "no_app");
      expected =
          write((time, frame, length) -> writer.write(id, time, frame, 0, length, length, facts));
    }
    assertEquals(expected, read(file));
  }

  /** Writes the file anew, in the format of tcpdump. */
  @Test
  void itsFilesAreRead() throws Exception {
    Path file = folder.resolve("x.pcapng");
    List<String> expected;
    try (PcapngWriter writer = new PcapngWriter(stream(file), "isle", 65535)) {
      int id = writer.addInterface("va", LinkType.ETHERNET);
      expected = write((time, frame, length) -> writer.write(id, time, frame, 0, length));
    }
    Path copy = folder.resolve("copy.pcap");
    Process process =
        new ProcessBuilder("tcpdump", "--nano", "-r", "-", "-w", "-")
            .redirectInput(file.toFile())
            .redirectOutput(copy.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertEquals(0, process.waitFor());
    List<String> read = new ArrayList<>();
    try (CaptureReader reader = CaptureReader.open(Files.newInputStream(copy), "copy")) {
      while (reader.next()) {
        byte[] bytes = reader.memory().asSlice(0, reader.length()).toArray(ValueLayout.JAVA_BYTE);
        read.add(line(reader.timeNs(), bytes));
      }
    }
    assertEquals(expected, read);
  }
}
