package io.isle.faces.shell.net.program;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.net.FramePrograms;
import io.isle.api.observe.Actor;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.core.testing.RecordedAudit;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.testing.FakeServices;
import io.isle.lib.packet.capture.LinkType;
import io.isle.lib.packet.capture.PcapWriter;
import io.isle.lib.packet.capture.PcapngWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgramCommandsTest {
  private static final int PASS = 2;
  private static final int REDIRECT = 4;
  private static final Actor MANAGER = new Actor(Actor.Kind.USER, "m", Set.of("manager"));
  private static final Actor VIEWER = new Actor(Actor.Kind.USER, "v", Set.of("viewer"));

  @TempDir private Path folder;
  private final FakePrograms programs = new FakePrograms();
  private final List<AuditEvent> recorded = new ArrayList<>();
  private final FakeServices services =
      new FakeServices()
          .add(FramePrograms.class, programs)
          .add(Audit.class, new RecordedAudit(recorded::add));

  private static byte[] frame(int verdict, int bytes) {
    byte[] frame = new byte[bytes];
    frame[0] = (byte) verdict;
    return frame;
  }

  private String file(String name, byte[] bytes) throws IOException {
    return Files.write(folder.resolve(name), bytes).toString();
  }

  private ShellException failure(int status, IsleCommand command) {
    ShellException e = assertThrows(ShellException.class, () -> services.run(command, true));
    assertEquals(status, e.exitStatus(), e.getMessage());
    return e;
  }

  @Test
  void aProgramIsListed() {
    String text = services.run(new ProgramCommand().of("9000,9001", "10.0.0.1", true), true);
    assertEquals(
        "[{\"index\":0,\"bytes\":\"00\",\"text\":\"one\"},"
            + "{\"index\":1,\"bytes\":\"00\",\"text\":\"two\"}]\n",
        text);
    assertEquals(List.of(9000, 9001), programs.match.ports());
    assertEquals(OptionalInt.of(0x0A000001), programs.match.address());
    assertFalse(programs.match.gre());
  }

  @Test
  void aProgramIsWritten() throws IOException {
    String file = file("redirect.bpf", new byte[3]);
    ProgramCommand command = new ProgramCommand().of("7", null, false).to(file, 5, MANAGER);
    String text = services.run(command, true);
    assertTrue(text.contains("\"instructions\":2,\"bytes\":16,\"map_fd\":5"), text);
    byte[] expected = new byte[16];
    expected[0] = 5;
    assertArrayEquals(expected, Files.readAllBytes(Path.of(file)));
    assertEquals(1, folder.toFile().list().length);
    assertTrue(programs.match.gre());
  }

  @Test
  void aViewerWritesNothing() {
    Path file = folder.resolve("none.bpf");
    ProgramCommand command =
        new ProgramCommand().of("7", null, false).to(file.toString(), 0, VIEWER);
    assertTrue(failure(1, command).getMessage().contains("role manager is needed"));
    assertFalse(Files.exists(file));
    assertEquals("shell.refuse", recorded.getFirst().action());
  }

  @ParameterizedTest
  @CsvSource({
    "'', , --ports ''",
    "0, , --ports: 0 is not in 1..65535",
    "65536, , --ports: 65536 is not in 1..65535",
    "'1,x', , '--ports ''1,x'''",
    "'1,1', , --ports: 1 is named twice",
    "'1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17', , '17 are given; 1 to 16'",
    "1, 1.2.3, '--dst ''1.2.3'' is not an IPv4 address'",
    "1, 0.0.0.0, --dst 0.0.0.0 is no destination"
  })
  void mistakesAreNamed(String ports, String address, String reason) {
    String message = failure(2, new ProgramCommand().of(ports, address, false)).getMessage();
    assertTrue(message.contains(reason), message);
  }

  @Test
  void everyFrameOfEveryFileHasAVerdict() throws IOException {
    String raw = file("raw.bin", frame(PASS, 60));
    Path old = folder.resolve("old.pcap");
    try (PcapWriter writer = new PcapWriter(Files.newOutputStream(old), LinkType.ETHERNET, 65535)) {
      writer.write(0, MemorySegment.ofArray(frame(REDIRECT, 100)), 0, 100);
      writer.write(0, MemorySegment.ofArray(frame(9, 20)), 0, 20);
    }
    Path blocks = folder.resolve("new.pcapng");
    try (PcapngWriter writer = new PcapngWriter(Files.newOutputStream(blocks), "test", 65535)) {
      int id = writer.addInterface("va", LinkType.ETHERNET);
      writer.write(id, 0, MemorySegment.ofArray(frame(1, 50)), 0, 50);
    }
    VerdictCommand command =
        new VerdictCommand().of(null, "7", raw, old.toString(), blocks.toString());
    String json = services.run(command.expecting(null, "10.0.0.1", 5), true);
    assertTrue(
        json.contains("raw.bin\",\"frame\":1,\"bytes\":60,\"verdict\":\"PASS\",\"ns\":42}"), json);
    assertTrue(json.contains("\"frame\":1,\"bytes\":100,\"verdict\":\"REDIRECT\""), json);
    assertTrue(json.contains("\"frame\":2,\"bytes\":20,\"verdict\":\"9\""), json);
    assertTrue(json.contains("\"frame\":1,\"bytes\":50,\"verdict\":\"DROP\""), json);
    assertEquals(5, programs.repeat);
    assertEquals(0, programs.open);
    String text = services.run(command, false);
    assertTrue(text.endsWith("4 frames: 1 9, 1 DROP, 1 PASS, 1 REDIRECT\n"), text);
  }

  @Test
  void anUnmetExpectationFails() throws IOException {
    String one = file("one.bin", frame(PASS, 60));
    String two = file("two.bin", frame(REDIRECT, 60));
    for (String verdict : List.of("PASS", "pass", "xdp_pass")) {
      VerdictCommand met = new VerdictCommand().of(null, "7", one).expecting(verdict, null, 1);
      assertTrue(services.run(met, true).contains("PASS"));
    }
    VerdictCommand unmet =
        new VerdictCommand().of(null, "7", one, two, two).expecting("PASS", null, 1);
    String message = failure(1, unmet).getMessage();
    assertTrue(
        message.endsWith(
            "two.bin, frame 1: the verdict is REDIRECT, expected is PASS; so of 2 frames"),
        message);
    VerdictCommand unknown = new VerdictCommand().of(null, "7", one).expecting("LOST", null, 1);
    assertTrue(failure(2, unknown).getMessage().contains("ABORTED, DROP, PASS, TX, REDIRECT"));
  }

  @Test
  void aFileWithoutFramesMeetsNoExpectation() throws IOException {
    Path empty = folder.resolve("empty.pcap");
    new PcapWriter(Files.newOutputStream(empty), LinkType.ETHERNET, 100).close();
    VerdictCommand command = new VerdictCommand().of(null, "7", empty.toString());
    assertEquals("[]\n", services.run(command, true));
    assertTrue(failure(1, command.expecting("PASS", null, 1)).getMessage().contains("no frame"));
  }

  @Test
  void brokenFilesAreNamed() throws IOException {
    String shortFrame = file("short.bin", frame(PASS, 13));
    assertTrue(message(shortFrame).contains("frame 1 has 13 bytes; 14 to 65535 are possible"));
    String longFrame = file("long.bin", frame(PASS, 70_000));
    assertTrue(message(longFrame).contains("at least 65536 bytes"));
    assertTrue(message(folder.resolve("none").toString()).contains("does not exist"));
    assertTrue(message(folder.toString()).contains("cannot be read"));
    Path other = folder.resolve("other.pcap");
    try (PcapWriter writer = new PcapWriter(Files.newOutputStream(other), 101, 100)) {
      writer.write(0, MemorySegment.ofArray(frame(PASS, 60)), 0, 60);
    }
    assertTrue(message(other.toString()).contains("frame 1 has link type 101 (IP without"));
    byte[] bytes = Files.readAllBytes(other);
    String cut = file("cut.pcap", Arrays.copyOf(bytes, bytes.length - 1));
    assertTrue(message(cut).contains("record 1 at offset 24: the file ends"));
  }

  private String message(String file) {
    return failure(1, new VerdictCommand().of(null, "7", file)).getMessage();
  }

  @Test
  void aProgramIsReadFromAFile() throws IOException {
    String one = file("one.bin", frame(PASS, 60));
    String program = file("program.bpf", new byte[24]);
    assertTrue(services.run(new VerdictCommand().of(program, null, one), true).contains("PASS"));
    assertEquals(24, programs.loaded.length);
    String large = file("large.bpf", new byte[100_000]);
    RuntimeException e =
        assertThrows(
            RuntimeException.class,
            () -> services.run(new VerdictCommand().of(large, null, one), true));
    assertTrue(e.getMessage().contains("a wrong size"), e.getMessage());
    assertTrue(
        failure(1, new VerdictCommand().of(program + "x", null, one))
            .getMessage()
            .contains("cannot be read"));
    failure(2, new VerdictCommand().of(program, "7", one));
    failure(2, new VerdictCommand().of(null, null, one));
    failure(2, new VerdictCommand().of(program, null, one).expecting(null, "1.2.3.4", 1));
    failure(2, new VerdictCommand().of(program, null, one).expecting(null, null, 0));
  }
}
