package io.isle.faces.shell.ring;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.fabric.RingAdmin;
import io.isle.api.fabric.RingLoss;
import io.isle.api.fabric.Rings;
import io.isle.api.tenancy.Capabilities;
import io.isle.core.testing.FakeCapabilities;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.testing.FakeServices;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands through the endpoint of a master. */
@Timeout(60)
class MasterCommandsTest {
  private static final int PAYLOAD = 64;

  @TempDir Path folder;
  private final FakeEndpoint endpoint = new FakeEndpoint(Nodes.master("head", 8 + PAYLOAD, 5));
  private final FakeRings rings = new FakeRings(endpoint);
  private final FakeServices services =
      new FakeServices()
          .add(RingAdmin.class, new FakeAdmin().add(endpoint.info()))
          .add(Rings.class, rings)
          .add(Capabilities.class, new FakeCapabilities());
  private final byte[] bytes = new byte[10 * PAYLOAD + 7];
  private Path in;
  private Path out;

  @BeforeEach
  void write() throws IOException {
    new Random(1).nextBytes(bytes);
    in = Files.write(folder.resolve("in"), bytes);
    out = folder.resolve("out");
  }

  private DriveCommand drive() {
    return new DriveCommand().of("head", in.toString(), out.toString());
  }

  private byte[] plusOne(int from) {
    byte[] all = Arrays.copyOfRange(bytes, from, bytes.length);
    for (int i = 0; i < all.length; i++) {
      all[i]++;
    }
    return all;
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> !file.equals(in)).toList();
    }
  }

  @Test
  void driveWritesTheRepliesWithoutPadding() throws Exception {
    String json = services.run(drive(), true);
    assertArrayEquals(plusOne(0), Files.readAllBytes(out));
    assertTrue(
        json.contains(
            "\"packets\":11,\"replies\":11,\"lost\":0,\"late\":0,\"strays\":0,\"old\":0,"
                + "\"broken\":0,\"first_position\":5,\"next_position\":16,\"bytes_in\":647,"
                + "\"bytes_out\":647,"),
        json);
    assertEquals("ring:drive", rings.tenant);
    assertTrue(endpoint.isClosed());
    byte[] last = endpoint.sent().getLast();
    assertArrayEquals(new byte[PAYLOAD - 7], Arrays.copyOfRange(last, 8 + 7, last.length));
    assertEquals(List.of(out), files());
  }

  @Test
  void positionsWrapAndTheFirstPacketsAskForNoReply() throws Exception {
    services.run(drive().at(3L, 4, 2, 1, 1000), true);
    List<byte[]> sent = endpoint.sent();
    assertEquals(
        List.of(3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1),
        sent.stream().map(FakeEndpoint::position).toList());
    assertEquals(
        List.of(0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1), sent.stream().map(FakeEndpoint::flags).toList());
    assertEquals(1, endpoint.mostOut());
    assertArrayEquals(plusOne(2 * PAYLOAD), Files.readAllBytes(out));
  }

  @Test
  void aFifoIsDrivenToItsEnd() throws Exception {
    Path fifo = folder.resolve("fifo");
    assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    Files.write(fifo, bytes);
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                });
    String json =
        services.run(new DriveCommand().of("head", fifo.toString(), out.toString()), true);
    writer.join();
    assertTrue(json.contains("\"bytes_in\":647,\"bytes_out\":647,"), json);
    assertArrayEquals(plusOne(0), Files.readAllBytes(out));
  }

  @Test
  void aPositionBeyondTheNumberOfPositionsBeginsAtZero() {
    services.run(drive().at(null, 4, 0, 1, 1000), true);
    assertEquals(0, FakeEndpoint.position(endpoint.sent().getFirst()));
  }

  @Test
  void optionsOutOfRangeAreNamed() {
    assertEquals("--pos 4 is not in 0..3", refusal(drive().at(4L, 4, 0, 1, 1000)));
    assertEquals("--no-reply -1 is not in 0.." + Long.MAX_VALUE, refusal(at(-1, 1)));
    assertEquals("--window 0 is not in 1..65536", refusal(at(0, 0)));
    assertTrue(
        refusal(drive().at(0xC0DDL, 1 << 20, 0, 1, 1000))
            .startsWith("position 49374 would look like a control packet"));
    assertTrue(endpoint.sent().isEmpty());
    assertTrue(
        refusal(new DriveCommand().of("head", folder + "/none", out.toString()))
            .endsWith("none does not exist"));
  }

  private DriveCommand at(long silent, int window) {
    return drive().at(0L, 100, silent, window, 1000);
  }

  private String refusal(DriveCommand command) {
    return assertThrows(ShellException.class, () -> services.run(command, true)).getMessage();
  }

  @Test
  void lostRepliesFailTheCommandAndLeaveTheOthers() throws Exception {
    endpoint.with(
        (packet, back) -> {
          if (FakeEndpoint.position(packet) == 2) {
            back.accept(new RingLoss(2, 0, 0));
          } else {
            back.accept(FakeEndpoint.plusOne(packet));
          }
        });
    String message = refusal(drive().at(0L, 100, 0, 4, 1000));
    assertTrue(message.startsWith("1 of 11 replies are lost, and " + out), message);
    assertEquals(bytes.length - PAYLOAD, Files.size(out));
  }

  @Test
  void aFailureNamesTheFileWithTheRepliesSoFar() throws Exception {
    endpoint.with(
        (packet, back) ->
            back.accept(
                FakeEndpoint.position(packet) == 4
                    ? (Object) (-Errno.ECLOSED)
                    : FakeEndpoint.plusOne(packet)));
    String message = refusal(drive().at(0L, 100, 0, 1, 1000));
    assertTrue(message.contains("the node was closed"), message);
    Path part = files().getFirst();
    assertTrue(message.endsWith("; the replies so far are in " + part), message);
    assertArrayEquals(Arrays.copyOf(plusOne(0), 4 * PAYLOAD), Files.readAllBytes(part));
    assertFalse(Files.exists(out));
  }

  @Test
  void aFailureBeforeTheFirstReplyLeavesNoFile() throws Exception {
    endpoint.failSend(-Errno.ECLOSED);
    refusal(drive());
    assertEquals(List.of(), files());
  }

  @Test
  void resizeShowsTheLayersOfTheWorkers() {
    assertEquals(
        "[{\"worker\":1,\"start\":6,\"end\":9,\"tail\":false},"
            + "{\"worker\":2,\"start\":9,\"end\":12,\"tail\":true}]\n",
        services.run(new ResizeCommand().of("demo", "6", "9"), true));
  }

  @Test
  void boundariesThatAreNoNumbersAreRefusedWithTheirLimit() {
    for (String text : List.of("99999999999", "six", "")) {
      ShellException refused =
          assertThrows(
              ShellException.class,
              () -> services.run(new ResizeCommand().of("demo", "6", text), true));
      assertEquals(
          "boundaries: '" + text + "' is not a whole number in 1..65536", refused.getMessage());
    }
  }

  @Test
  void benchHasACurveAThroughputAndAPicture() throws Exception {
    Path picture = folder.resolve("hops.svg");
    String json = services.run(new BenchCommand().of("head", 1, picture.toString()), true);
    assertTrue(json.contains("\"curve\":[{\"percent\":0.0,\"round_trip_ns\":"), json);
    assertTrue(json.contains("\"hops\":null") && json.contains("\"lost\":0}"), json);
    assertTrue(Files.readString(picture).contains("ring node head"));
    assertTrue(endpoint.mostOut() <= 16);
    assertEquals(
        2,
        assertThrows(
                ShellException.class,
                () -> services.run(new BenchCommand().of("head", 0, null), true))
            .exitStatus());
  }
}
