package io.isle.apps.jobs.run;

import io.isle.api.jobs.Measured;
import io.isle.lib.svg.SvgText;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Which group ran when, as one SVG picture that needs nothing else: for each barrier a row for each
 * group, over the time from its opening to its end.
 */
final class GroupPicture {
  private static final int FONT = 12;
  private static final int NAME_FONT = 13;
  private static final int TITLE_FONT = 15;
  private static final int MARGIN = 10;
  private static final int SPACE = 12;
  private static final int LEGEND = 20;
  private static final int WIDTH = 1200;
  private static final int ROW = 44;
  private static final int TOP = 40;
  private static final int GAP = 56;
  private static final int TICKS = 10;

  /** Narrower spans could not be seen. */
  private static final double LEAST = 0.15;

  private static final List<String> COLOURS =
      List.of("#2166ac", "#d6604d", "#1b7837", "#7b3294", "#e08214", "#666666");

  private final String job;
  private final List<Barrier> barriers;
  private final Measured measured;
  private final StringBuilder svg = new StringBuilder();

  /** Where the chart begins: behind the widest label. */
  private final int left;

  private final int right;

  GroupPicture(String job, List<Barrier> barriers, Measured measured) {
    this.job = job;
    this.barriers = barriers;
    this.measured = measured;
    int labels =
        measured.groups().stream()
            .mapToInt(
                group ->
                    Math.max(
                        SvgText.width(group.name(), NAME_FONT),
                        SvgText.width(figures(group), FONT)))
            .max()
            .orElse(0);
    int half =
        barriers.stream()
                .mapToInt(barrier -> SvgText.width(tick(barrier, TICKS), FONT))
                .max()
                .orElse(0)
            / 2;
    left = MARGIN + Math.max(half, labels + SPACE);
    right = left + WIDTH + half + MARGIN;
  }

  private static String tick(Barrier barrier, int number) {
    return String.format(Locale.ROOT, "%.0f ms", barrier.windowNs() * number / TICKS / 1e6);
  }

  /** The picture of a job whose streams have ended. */
  String draw() {
    int rows = barriers.stream().mapToInt(barrier -> barrier.shares().size()).sum();
    StringBuilder legend = new StringBuilder();
    int top = legend(legend);
    int height = top + rows * ROW + barriers.size() * GAP;
    line(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
            + " viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">",
        right, height, right, height);
    line("<title>%s</title>", SvgText.escape("job " + job + ": which group ran when"));
    line("<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>");
    line(
        "<text x=\"%d\" y=\"20\" font-size=\"%d\">%s</text>",
        MARGIN, TITLE_FONT, SvgText.escape(SvgText.fit("job " + job, TITLE_FONT, WIDTH)));
    svg.append(legend);
    int y = top;
    for (Barrier barrier : barriers) {
      y = barrier(barrier, y);
    }
    line("</svg>");
    return svg.toString();
  }

  /** In as many lines as it takes; returns where the charts begin. */
  private int legend(StringBuilder to) {
    int x = left;
    int y = TOP;
    for (int i = 0; i < measured.groups().size(); i++) {
      String name = measured.groups().get(i).name();
      int width = 17 + SvgText.width(name, FONT);
      if (x > left && x + width > right - MARGIN) {
        x = left;
        y += LEGEND;
      }
      append(
          to,
          "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill=\"%s\"/>",
          x,
          y - 10,
          COLOURS.get(i % COLOURS.size()));
      append(to, "<text x=\"%d\" y=\"%d\">%s</text>", x + 17, y, SvgText.escape(name));
      x += width + 2 * SPACE;
    }
    y += LEGEND;
    append(to, "<text x=\"%d\" y=\"%d\" fill=\"#666666\">a box: the device ran it</text>", left, y);
    return y + LEGEND;
  }

  /** Returns where the next one begins. */
  private int barrier(Barrier barrier, int top) {
    Map<String, Barrier.Share> shares = barrier.shares();
    int bottom = top + shares.size() * ROW;
    for (int i = 0; i <= TICKS; i++) {
      double x = left + (double) WIDTH * i / TICKS;
      line(
          "<line class=\"axis\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#dddddd\"/>",
          x, top, x, bottom + 4);
      line(
          "<text x=\"%.1f\" y=\"%d\" fill=\"#666666\" text-anchor=\"middle\">%s</text>",
          x, bottom + 18, tick(barrier, i));
    }
    int y = top;
    for (int i = 0; i < measured.groups().size(); i++) {
      Measured.GroupShare group = measured.groups().get(i);
      Barrier.Share share = shares.get(group.name());
      if (share != null) {
        row(barrier, group, share, COLOURS.get(i % COLOURS.size()), y);
        y += ROW;
      }
    }
    return bottom + GAP;
  }

  private void row(
      Barrier barrier, Measured.GroupShare group, Barrier.Share share, String colour, int y) {
    line(
        "<text x=\"%d\" y=\"%d\" font-size=\"%d\">%s</text>",
        MARGIN, y + 16, NAME_FONT, SvgText.escape(group.name()));
    line(
        "<text x=\"%d\" y=\"%d\" fill=\"#666666\">%s</text>",
        MARGIN, y + 32, SvgText.escape(figures(group)));
    line(
        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#f4f4f4\"/>",
        left, y + 4, WIDTH, ROW - 8);
    long[] spans = share.work().running();
    double scale = WIDTH / (double) Math.max(1, barrier.windowNs());
    line("<g class=\"group\" fill=\"%s\">", colour);
    for (int i = 0; i < spans.length; i += 2) {
      long from = Math.max(spans[i], barrier.fromNs()) - barrier.fromNs();
      long to = Math.min(spans[i + 1] - barrier.fromNs(), barrier.windowNs());
      if (to > from) {
        line(
            "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\"/>",
            left + from * scale, y + 6, Math.max(LEAST, (to - from) * scale), ROW - 12);
      }
    }
    line("</g>");
  }

  private static String figures(Measured.GroupShare group) {
    String promised =
        Double.isNaN(group.promised())
            ? ""
            : String.format(Locale.ROOT, "promised %.1f %%, ", group.promised());
    return Double.isNaN(group.measured())
        ? promised
        : promised + String.format(Locale.ROOT, "measured %.2f %%", group.measured());
  }

  private void line(String format, Object... values) {
    append(svg, format, values);
  }

  private static void append(StringBuilder to, String format, Object... values) {
    to.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
