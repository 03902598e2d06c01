package io.isle.core.drivers.nativecode.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.core.drivers.nativecode.control.DeviceOutput;
import io.isle.lib.shm.LogLines;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostOutputTest {
  private final AtomicLong clock = new AtomicLong();
  private final List<String> lines = new ArrayList<>();
  private final HostOutput output = new HostOutput(lines::add, clock::get);

  private static InputStream text(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void linesArePassedOnAndControlCharactersAreNot() throws IOException {
    output.forward(text("one\n\ntwo\u001b[31m\nC1\u009b31m\nlast\u202e"));
    assertEquals(List.of("one", "", "two [31m", "C1 31m", "last "), lines);
  }

  @Test
  void aLineWithoutEndTakesNoMoreThanItsLimit() throws IOException {
    long[] left = {1L << 26};
    InputStream endless =
        new InputStream() {
          @Override
          public int read() {
            return left[0]-- > 0 ? 'x' : -1;
          }

          @Override
          public int read(byte[] to, int offset, int length) {
            if (left[0] <= 0) {
              return -1;
            }
            java.util.Arrays.fill(to, offset, offset + length, (byte) 'x');
            left[0] -= length;
            return length;
          }
        };
    output.forward(endless);
    assertEquals(List.of("x".repeat(HostOutput.MAX_LINE)), lines);
  }

  @Test
  void aFloodIsCutAndCounted() throws IOException {
    output.forward(text("a\n".repeat(HostOutput.LINES_A_SECOND + 7)));
    assertEquals(HostOutput.LINES_A_SECOND + 1, lines.size());
    assertEquals("(7 more lines were dropped)", lines.getLast());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theNextLinesAreReadWhateverPassingOneOnThrows(boolean error) throws IOException {
    HostOutput failing =
        new HostOutput(
            line -> {
              lines.add(line);
              if (error) {
                throw new AssertionError("planned");
              }
              throw new IllegalStateException("planned");
            },
            clock::get);
    failing.forward(text("one\ntwo\n"));
    assertEquals(List.of("one", "two"), lines);
  }

  @Test
  void linesOfTheDriverHaveTheirLevelAndTheDevicesName() {
    DeviceOutput device = new DeviceOutput("soft0", Levels.logger(lines::add));
    device.accept("error soft: no such op");
    device.accept("warn soft: max_contexts 4 reached");
    device.accept("info soft: opened");
    device.accept("debug soft: a: b");
    device.accept("error: of a library that prints");
    device.accept("Segmentation fault");
    assertEquals(
        List.of(
            "error soft0 no such op",
            "warn soft0 max_contexts 4 reached",
            "info soft0 opened",
            "debug soft0 a: b",
            "info soft0 error: of a library that prints",
            "info soft0 Segmentation fault"),
        lines);
  }

  @Test
  void eachLineOfADriverInThisProcessIsToldOnce() {
    DeviceOutput device = new DeviceOutput("soft0", Levels.logger(lines::add));
    LogLines.Line first = new LogLines.Line(0, 1, true, "in this process");
    LogLines.Line second = new LogLines.Line(1, 2, false, "in this process, too");
    LogLines.Line later = new LogLines.Line(5, 3, false, "after others");
    // the next one is being written
    assertEquals(1, device.tell(0, List.of(first)));
    assertEquals(1, device.tell(1, List.of()));
    assertEquals(2, device.tell(1, List.of(second)));
    assertEquals(6, device.tell(2, List.of(later)));
    assertEquals(
        List.of(
            "error soft0 in this process",
            "warn soft0 in this process, too",
            "warn soft0 3",
            "warn soft0 after others"),
        lines);
  }

  @Test
  void theNextSecondHasItsOwnLines() throws IOException {
    output.forward(text("a\n".repeat(HostOutput.LINES_A_SECOND + 1)));
    clock.set(1_000_000_000);
    output.forward(text("b\n"));
    assertTrue(lines.contains("b"));
  }
}
