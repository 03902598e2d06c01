package io.isle.spin.jobs.ping;

import io.isle.lib.svg.Ink;
import io.isle.lib.svg.SvgPicture;
import io.isle.lib.svg.SvgPicture.Font;
import io.isle.lib.svg.SvgPicture.Key;
import io.isle.spin.jobs.ping.place.PingProtocol;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Rows as a picture: for each protocol a chart of the round trip by size, with a curve for each
 * mode and an interval at each median.
 */
final class PingPicture {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 280;
  private static final int LEFT = 90;
  private static final int TOP = 40;
  private static final int GAP = 66;

  /** Space for what stands beside the first and the last size. */
  private static final int INSET = 30;

  private static final int MARK = 6;
  private static final int BESIDE = 5;
  private static final int LEVELS = 6;

  private final List<PingRow> rows;
  private final int runs;
  private final boolean lab;
  private final SvgPicture picture = new SvgPicture("spin-ping: round trip by size of payload");

  /**
   * @param runs of each row
   * @param lab whether requests went through a lab
   */
  PingPicture(List<PingRow> rows, int runs, boolean lab) {
    this.rows = rows;
    this.runs = runs;
    this.lab = lab;
  }

  String draw() {
    picture.text(
        SvgPicture.MARGIN,
        20,
        Font.TITLE,
        Ink.TEXT,
        "spin-ping: round trip by size of payload, " + (lab ? "through a lab" : "port of udp"));
    List<Key> keys = new ArrayList<>();
    for (PingMode mode : PingMode.values()) {
      if (rows.stream().anyMatch(row -> row.mode() == mode)) {
        keys.add(new Key(ink(mode), mode.text()));
      }
    }
    int y = picture.legend(LEFT, TOP, LEFT + WIDTH, keys);
    picture.text(
        LEFT,
        y,
        Font.NOTE,
        Ink.NOTE,
        "a mark: the median of " + runs + " runs; the line through it: its interval of 95 %");
    y += 16;
    for (PingProtocol protocol : PingProtocol.values()) {
      List<PingRow> of =
          rows.stream()
              .filter(row -> row.protocol() == protocol && !Double.isNaN(row.rtt().median()))
              .toList();
      if (!of.isEmpty()) {
        y = chart(protocol, of, y);
      }
    }
    return picture.svg();
  }

  private static Ink ink(PingMode mode) {
    return Ink.series(mode.ordinal());
  }

  /** Returns where the next one begins. */
  private int chart(PingProtocol protocol, List<PingRow> of, int top) {
    picture.text(SvgPicture.MARGIN, top + 20, Font.NAME, Ink.TEXT, protocol.text() + ", us");
    int from = top + 34;
    int bottom = from + HEIGHT;
    double most = of.stream().mapToDouble(PingPicture::most).max().orElse(1) / 1e3;
    double level = level(most);
    int levels = (int) Math.ceil(most / level);
    Scale scale = new Scale(of, bottom, HEIGHT / (levels * level));
    for (int i = 0; i <= levels; i++) {
      double y = scale.y(i * level * 1e3);
      picture.scaleLevel(y, LEFT, LEFT + WIDTH);
      String text = number(i * level);
      picture.text(LEFT - 8 - Font.NOTE.width(text), y + 4, Font.NOTE, Ink.NOTE, text);
    }
    sizes(scale, of, from, bottom);
    for (PingMode mode : PingMode.values()) {
      curve(scale, of.stream().filter(row -> row.mode() == mode).toList(), mode);
    }
    return bottom + GAP;
  }

  private static double most(PingRow row) {
    double high = row.rtt().high();
    return Double.isNaN(high) ? row.rtt().median() : Math.max(high, row.rtt().median());
  }

  /** A round number of which about {@link #LEVELS} are the most. */
  private static double level(double most) {
    double rough = Math.max(most, 1e-3) / LEVELS;
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    return Arrays.stream(new double[] {1, 2, 5, 10})
        .map(factor -> factor * power)
        .filter(step -> step >= rough)
        .findFirst()
        .orElse(10 * power);
  }

  private static String number(double value) {
    String text = String.format(Locale.ROOT, "%.4f", value);
    return text.replaceAll("\\.?0+$", "");
  }

  private void sizes(Scale scale, List<PingRow> of, int top, int bottom) {
    double free = 0;
    for (int bytes : of.stream().mapToInt(PingRow::bytes).distinct().sorted().toArray()) {
      double x = scale.x(bytes);
      String text = bytes + " B";
      double half = Font.NOTE.width(text) / 2.0;
      picture.scaleLine(x, top, bottom + 4);
      if (x - half > free) {
        picture.centred(x, bottom + 18, Font.NOTE, Ink.NOTE, text);
        free = x + half + 6;
      }
    }
    picture.centred(LEFT + WIDTH / 2.0, bottom + 38, Font.NOTE, Ink.NOTE, "payload (logarithmic)");
  }

  private void curve(Scale scale, List<PingRow> of, PingMode mode) {
    List<PingRow> sorted =
        of.stream().sorted((a, b) -> Integer.compare(a.bytes(), b.bytes())).toList();
    double beside = (mode.ordinal() - 1) * BESIDE;
    for (int i = 0; i < sorted.size(); i++) {
      PingRow row = sorted.get(i);
      double x = scale.x(row.bytes()) + beside;
      double y = scale.y(row.rtt().median());
      if (i > 0) {
        PingRow before = sorted.get(i - 1);
        picture.curveLine(
            scale.x(before.bytes()) + beside, scale.y(before.rtt().median()), x, y, ink(mode));
      }
      String note = mode.text() + ", " + row.bytes() + " B: " + number(row.rtt().median() / 1e3);
      if (!Double.isNaN(row.rtt().low())) {
        picture.curveLine(x, scale.y(row.rtt().high()), x, scale.y(row.rtt().low()), ink(mode));
        note +=
            " us (" + number(row.rtt().low() / 1e3) + " - " + number(row.rtt().high() / 1e3) + ")";
      }
      picture.box(x - MARK / 2.0, y - MARK / 2.0, MARK, MARK, ink(mode), "median", note);
    }
  }

  /** Where sizes and times are. */
  private static final class Scale {
    private final double low;
    private final double span;
    private final int bottom;
    private final double perUs;

    Scale(List<PingRow> rows, int bottom, double perUs) {
      low = log(rows.stream().mapToInt(PingRow::bytes).min().orElse(1));
      span = log(rows.stream().mapToInt(PingRow::bytes).max().orElse(1)) - low;
      this.bottom = bottom;
      this.perUs = perUs;
    }

    private static double log(int bytes) {
      return Math.log(bytes);
    }

    double x(int bytes) {
      double part = span == 0 ? 0.5 : (log(bytes) - low) / span;
      return LEFT + INSET + part * (WIDTH - 2 * INSET);
    }

    double y(double ns) {
      return bottom - ns / 1e3 * perUs;
    }
  }
}
