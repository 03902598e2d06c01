package io.isle.apps.jobs.run;

import io.isle.api.jobs.Measured;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Which group ran when, as one SVG picture that needs nothing else: for each barrier a row for each
 * group, over the time from its opening to its end.
 */
final class GroupPicture {
  private static final int LEFT = 210;
  private static final int WIDTH = 1200;
  private static final int ROW = 44;
  private static final int TOP = 64;
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

  GroupPicture(String job, List<Barrier> barriers, Measured measured) {
    this.job = job;
    this.barriers = barriers;
    this.measured = measured;
  }

  /** The picture of a job whose streams have ended. */
  String draw() {
    int rows = barriers.stream().mapToInt(barrier -> barrier.shares().size()).sum();
    int height = TOP + rows * ROW + barriers.size() * GAP;
    int width = LEFT + WIDTH + 20;
    line(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
            + " viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">",
        width, height, width, height);
    line("<title>%s</title>", text("job " + job + ": which group ran when"));
    line("<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>");
    line("<text x=\"10\" y=\"20\" font-size=\"15\">%s</text>", text("job " + job));
    legend();
    int y = TOP;
    for (Barrier barrier : barriers) {
      y = barrier(barrier, y);
    }
    line("</svg>");
    return svg.toString();
  }

  private void legend() {
    int x = LEFT;
    for (int i = 0; i < measured.groups().size(); i++) {
      line(
          "<rect x=\"%d\" y=\"10\" width=\"12\" height=\"12\" fill=\"%s\"/>",
          x, COLOURS.get(i % COLOURS.size()));
      line("<text x=\"%d\" y=\"20\">%s</text>", x + 17, text(measured.groups().get(i).name()));
      x += 190;
    }
    line("<text x=\"%d\" y=\"20\" fill=\"#666666\">a box: the device ran it</text>", x);
  }

  /** Returns where the next one begins. */
  private int barrier(Barrier barrier, int top) {
    Map<String, Barrier.Share> shares = barrier.shares();
    int bottom = top + shares.size() * ROW;
    for (int i = 0; i <= TICKS; i++) {
      double x = LEFT + (double) WIDTH * i / TICKS;
      line(
          "<line class=\"axis\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#dddddd\"/>",
          x, top, x, bottom + 4);
      line(
          "<text x=\"%.1f\" y=\"%d\" fill=\"#666666\" text-anchor=\"middle\">%.0f ms</text>",
          x, bottom + 18, barrier.windowNs() * i / TICKS / 1e6);
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
    line("<text x=\"10\" y=\"%d\" font-size=\"13\">%s</text>", y + 16, text(group.name()));
    line("<text x=\"10\" y=\"%d\" fill=\"#666666\">%s</text>", y + 32, text(figures(group)));
    line(
        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#f4f4f4\"/>",
        LEFT, y + 4, WIDTH, ROW - 8);
    long[] spans = share.work().running();
    double scale = WIDTH / (double) Math.max(1, barrier.windowNs());
    line("<g class=\"group\" fill=\"%s\">", colour);
    for (int i = 0; i < spans.length; i += 2) {
      long from = Math.max(spans[i], barrier.fromNs()) - barrier.fromNs();
      long to = Math.min(spans[i + 1] - barrier.fromNs(), barrier.windowNs());
      if (to > from) {
        line(
            "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\"/>",
            LEFT + from * scale, y + 6, Math.max(LEAST, (to - from) * scale), ROW - 12);
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

  /** As character data; names come from job files. */
  private static String text(String raw) {
    return raw.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  private void line(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
