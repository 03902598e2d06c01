package io.isle.faces.shell.ring.bench;

import io.isle.faces.shell.Sizes;
import io.isle.lib.svg.Ink;
import io.isle.lib.svg.SvgPicture;
import io.isle.lib.svg.SvgPicture.Font;
import java.util.List;
import java.util.Locale;

/**
 * The times of a hop over the share of packets, as a picture: a bar for each share, on a scale that
 * gives each further nine the same width, with a logarithmic height.
 */
public final class Curve {
  private static final int LEFT = 90;
  private static final int TOP = 60;
  private static final int WIDTH = 640;
  private static final int HEIGHT = 300;
  private static final int BARS = 80;

  /** Nines at the right edge: 99.99 %. */
  private static final double NINES = 4;

  private final BenchResult result;
  private final SvgPicture picture;
  private final double least;
  private final double decades;

  private Curve(BenchResult result) {
    this.result = result;
    picture = new SvgPicture("times of a hop of ring node " + result.node());
    least = Math.max(1, time(0));
    decades = Math.max(0.1, Math.log10(Math.max(1, time(percent(BARS))) / least) * 1.1);
  }

  /** The picture as an SVG document. */
  public static String svg(BenchResult result) {
    return new Curve(result).draw();
  }

  private String draw() {
    String what = result.hops() == 0 ? "round trip" : "hop";
    picture.text(
        SvgPicture.MARGIN,
        20,
        Font.TITLE,
        Ink.TEXT,
        String.format(
            Locale.ROOT,
            "%s: time of a %s, packets of %d B; %.1f MB/s",
            result.node(),
            what,
            result.packetBytes(),
            result.bytesPerSecond() / 1e6));
    for (double nines = 0; nines <= NINES; nines++) {
      double x = LEFT + WIDTH * nines / NINES;
      picture.scaleLine(x, TOP, TOP + HEIGHT);
      picture.centred(
          x, TOP + HEIGHT + 18, Font.NOTE, Ink.NOTE, label(100 - Math.pow(10, 2 - nines)));
    }
    for (double share : List.of(0.0, 0.25, 0.5, 0.75, 1.0)) {
      double ns = least * Math.pow(10, decades * share);
      double y = TOP + HEIGHT * (1 - share);
      picture.text(SvgPicture.MARGIN, y + 4, Font.NOTE, Ink.NOTE, Sizes.nanos(ns));
    }
    double wide = (double) WIDTH / BARS;
    for (int i = 0; i < BARS; i++) {
      double ns = time(percent(i + 0.5));
      double high = Math.max(1, HEIGHT * Math.log10(Math.max(1, ns / least)) / decades);
      picture.box(
          LEFT + i * wide,
          TOP + HEIGHT - high,
          wide - 1,
          high,
          Ink.BLUE,
          "bar",
          label(percent(i + 0.5)) + ": " + Sizes.nanos(ns));
    }
    return picture.svg();
  }

  private static String label(double percent) {
    return String.format(Locale.ROOT, "%.3f", percent).replaceAll("\\.?0+$", "") + " %";
  }

  /** The share in the middle of a bar. */
  private static double percent(double bar) {
    return 100 - Math.pow(10, 2 - NINES * bar / BARS);
  }

  private double time(double percent) {
    BenchResult.Point point = result.point(percent);
    return point.hopNs() == null ? point.roundTripNs() : point.hopNs();
  }
}
