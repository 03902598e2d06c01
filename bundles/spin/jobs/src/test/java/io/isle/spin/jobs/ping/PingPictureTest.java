package io.isle.spin.jobs.ping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.lib.net.ping.PingTally;
import io.isle.lib.svg.testing.PictureLayout;
import io.isle.lib.svg.testing.RenderedPicture;
import io.isle.lib.svg.testing.StoredPicture;
import io.isle.spin.jobs.ping.place.PingProtocol;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PingPictureTest {
  private static final PingTally EXACT = new PingTally(200, 200, 0, 0, 0);

  private static PingRow row(PingProtocol protocol, PingMode mode, int bytes, double median) {
    MedianInterval rtt = new MedianInterval(median, median * 0.9, median * 1.2);
    return new PingRow(protocol, mode, 1, bytes, 20, rtt, EXACT);
  }

  private static List<PingRow> rows() {
    List<PingRow> rows = new ArrayList<>();
    for (PingProtocol protocol : PingProtocol.values()) {
      for (PingMode mode : PingMode.values()) {
        for (int bytes : List.of(16, 64, 256, 1024, 1472)) {
          rows.add(row(protocol, mode, bytes, 30_000.0 * (mode.ordinal() + 1) + bytes * 20));
        }
      }
    }
    return rows;
  }

  private static List<String> faults(Path folder, String svg) throws Exception {
    return PictureLayout.faults(Files.writeString(folder.resolve("ping.svg"), svg));
  }

  @Test
  void aPictureIsTheStoredOne(@TempDir Path folder) throws Exception {
    String svg = new PingPicture(rows(), 20, true).draw();
    assertEquals(List.of(), faults(folder, svg));
    StoredPicture.check("ping", svg);
    RenderedPicture.check(folder, svg);
  }

  @Test
  void whatHasNoMedianIsLeftOut(@TempDir Path folder) throws Exception {
    List<PingRow> rows = new ArrayList<>(List.of(row(PingProtocol.UDP, PingMode.BOTH, 16, 5000)));
    MedianInterval none = MedianInterval.of(new double[0]);
    rows.add(new PingRow(PingProtocol.ICMP, PingMode.HOST, 1, 16, 0, none, EXACT));
    rows.add(
        new PingRow(
            PingProtocol.UDP, PingMode.BOTH, 2, 32, 1, MedianInterval.of(new double[] {1}), EXACT));
    String svg = new PingPicture(rows, 6, false).draw();
    assertEquals(List.of(), faults(folder, svg));
    assertFalse(svg.contains("NaN") || svg.contains(">icmp"), svg);
    assertTrue(svg.contains("port of udp"), svg);
  }

  @Property(tries = 60)
  void textsLieOnNothing(
      @ForAll @Size(min = 1, max = 8) List<@IntRange(min = 8, max = 1472) Integer> sizes,
      @ForAll @IntRange(min = 1, max = 400_000_000) int ns)
      throws Exception {
    List<PingRow> rows =
        sizes.stream()
            .distinct()
            .map(bytes -> row(PingProtocol.UDP, PingMode.OFFLOADED, bytes, (double) ns * bytes))
            .toList();
    Path file = Files.createTempFile("ping", ".svg");
    try {
      Files.writeString(file, new PingPicture(rows, 20, true).draw());
      assertEquals(List.of(), PictureLayout.faults(file));
    } finally {
      Files.delete(file);
    }
  }
}
