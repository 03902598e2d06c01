package io.isle.fabric.ring.process.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.fabric.ring.process.Reported;
import io.isle.fabric.ring.settings.NodeSettings;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class MessagesTest {
  private static final NodeSettings SETTINGS =
      NodeSettings.of(
          Map.of(
              "dim", "64",
              "listen", "tcp://127.0.0.1:1, shm://a",
              "prev.dialect", "isle",
              "next", "udp://127.0.0.1:2",
              "allow", "10.0.0.0/8, 127.0.0.0/8",
              "process", "own"));

  private static <T> byte[] bytes(Class<T> family, T message) {
    ByteBuffer to = ByteBuffer.allocate(MessageLine.MOST_BYTES);
    new RecordWriter(to).message(family, message);
    return Arrays.copyOf(to.array(), to.position());
  }

  private static <T> T read(Class<T> family, byte[] bytes) throws MalformedException {
    return new RecordReader(ByteBuffer.wrap(bytes), true).message(family);
  }

  @Test
  void eachOrderArrivesAsItWasSent() throws MalformedException {
    for (Order order :
        List.of(
            new Order.Open("w", SETTINGS),
            new Order.Change(SETTINGS),
            new Order.Attach(
                new Part(Part.Kind.STAGE, "mix", "a.B", List.of("/a/b.jar", "/c d.jar"))),
            new Order.Detach(Part.Kind.TRANSPORT, "tcp"),
            new Order.Drop("udp"),
            new Order.Ask(Long.MAX_VALUE),
            new Order.Leave())) {
      assertEquals(order, read(Order.class, bytes(Order.class, order)));
    }
  }

  @Test
  void eachAnswerArrivesAsItWasSent() throws MalformedException {
    Answer.Report report = Reported.report(7, "w", SETTINGS);
    assertEquals(report, read(Answer.class, bytes(Answer.class, report)));
    Answer line = new Answer.Line(Answer.Level.WARNING, "io.isle", "ü and more");
    assertEquals(line, read(Answer.class, bytes(Answer.class, line)));
  }

  @Test
  void controlCharactersOfForeignTextsAreReplaced() throws MalformedException {
    Answer line = new Answer.Line(Answer.Level.INFO, "l", "a\u001b[31mb\u0007\u202ec");
    assertEquals(
        new Answer.Line(Answer.Level.INFO, "l", "ab??c"),
        read(Answer.class, bytes(Answer.class, line)));
  }

  /** Each byte at its limit and beyond. */
  @Test
  void malformedMessagesAreRefused() {
    List<byte[]> wrong = new ArrayList<>();
    wrong.add(new byte[0]);
    wrong.add(new byte[] {2});
    wrong.add(new byte[] {(byte) 0xFF});
    // a line of the log: level, logger, text
    wrong.add(new byte[] {1, 3, 0, 0, 0, 0});
    wrong.add(new byte[] {1, 0, 0, 1});
    wrong.add(new byte[] {1, 0, (byte) 0xFF, (byte) 0xFF, 'a'});
    wrong.add(new byte[] {1, 0, 0, 1, (byte) 0xFF, 0, 0});
    wrong.add(new byte[] {1, 0, 0, 0, 0, 0, 9});
    for (byte[] bytes : wrong) {
      assertThrows(
          MalformedException.class, () -> read(Answer.class, bytes), () -> Arrays.toString(bytes));
    }
  }

  @Test
  void aWrongRecordIsRefusedByItsConstructor() {
    Answer.Report report = Reported.report(7, "w", SETTINGS);
    byte[] bytes = bytes(Answer.class, report);
    int at = indexOf(bytes, new byte[] {0, 0, 0, 3, 0, 0, 0, 9});
    bytes[at + 7] = 2;
    MalformedException refused =
        assertThrows(MalformedException.class, () -> read(Answer.class, bytes));
    assertTrue(refused.getMessage().contains("LayerRange: layers 3 to 2"), refused.getMessage());
  }

  private static int indexOf(byte[] in, byte[] part) {
    for (int i = 0; i + part.length <= in.length; i++) {
      if (Arrays.equals(in, i, i + part.length, part, 0, part.length)) {
        return i;
      }
    }
    throw new AssertionError("the layers are not in the message");
  }

  @Test
  void tooMuchIsRefusedByTheSender() {
    Part many =
        new Part(
            Part.Kind.STAGE,
            "a",
            "b",
            Arrays.asList(new String[257]).stream().map(i -> "").toList());
    assertThrows(IllegalArgumentException.class, () -> bytes(Order.class, new Order.Attach(many)));
    String text = "a".repeat(16_385);
    assertThrows(
        IllegalArgumentException.class,
        () -> bytes(Answer.class, new Answer.Line(Answer.Level.INFO, "", text)));
    Part large =
        new Part(
            Part.Kind.STAGE,
            "a",
            "b",
            List.of(text.substring(1), text.substring(1), text.substring(1), text.substring(1)));
    assertThrows(IllegalArgumentException.class, () -> bytes(Order.class, new Order.Attach(large)));
  }

  @Property(tries = 2000)
  void anyBytesAreAMessageOrRefused(@ForAll @Size(max = 200) byte[] bytes) {
    accepts(Answer.class, bytes);
    accepts(Order.class, bytes);
  }

  @Property(tries = 2000)
  void aChangedReportIsAMessageOrRefused(@ForAll int at, @ForAll byte value, @ForAll int cut) {
    byte[] bytes = bytes(Answer.class, Reported.report(7, "w", SETTINGS));
    bytes[Math.floorMod(at, bytes.length)] = value;
    accepts(Answer.class, bytes);
    accepts(Answer.class, Arrays.copyOf(bytes, Math.floorMod(cut, bytes.length)));
  }

  /** What is accepted is written as it was read, unless its texts were cleaned. */
  private static <T> void accepts(Class<T> family, byte[] bytes) {
    try {
      T message = new RecordReader(ByteBuffer.wrap(bytes), false).message(family);
      assertEquals(bytes.length, bytes(family, message).length);
    } catch (MalformedException e) {
      assertTrue(!e.getMessage().isEmpty());
    }
  }
}
