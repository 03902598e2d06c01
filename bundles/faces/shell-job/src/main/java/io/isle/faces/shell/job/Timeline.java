package io.isle.faces.shell.job;

import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.StepTimes;
import io.isle.lib.svg.SvgText;
import java.util.List;
import java.util.Locale;

/**
 * Who ran when, as one SVG picture that needs nothing else: a row for the transfers and one for the
 * rest of each step (building its program, waiting, computing), over the job's time.
 */
final class Timeline {
  private static final int FONT = 12;
  private static final int TITLE_FONT = 15;
  private static final int MARGIN = 10;
  private static final int GAP = 12;

  /** Longer labels are cut short, and say all when one points at them. */
  private static final int MOST_LABEL = 400;

  private static final int WIDTH = 900;
  private static final int ROW = 18;
  private static final int STEP = 2 * ROW + 10;
  private static final int TOP = 76;
  private static final int TICKS = 6;

  /** Narrower spans could not be seen. */
  private static final double LEAST = 0.5;

  private final JobResult result;
  private final double totalNs;
  private final StringBuilder svg = new StringBuilder();

  /** Where the chart begins: behind the widest label. */
  private final int left;

  private final int right;

  private Timeline(JobResult result) {
    this.result = result;
    totalNs =
        Math.max(
            1,
            result.steps().stream()
                .mapToLong(step -> step.startNs() + step.elapsedNs())
                .max()
                .orElse(result.elapsedNs()));
    int labels =
        result.steps().stream()
            .mapToInt(
                step -> Math.max(SvgText.width(name(step), FONT), SvgText.width(place(step), FONT)))
            .max()
            .orElse(0);
    int half = SvgText.width(tick(TICKS), FONT) / 2 + 1;
    left = MARGIN + Math.max(half, Math.min(MOST_LABEL, labels) + GAP);
    right = left + WIDTH + half + MARGIN;
  }

  private static String name(StepTimes step) {
    return step.stream() + "/" + step.step();
  }

  private static String place(StepTimes step) {
    return step.device() + ", " + step.priority();
  }

  private String tick(int number) {
    return String.format(Locale.ROOT, "%.3f ms", totalNs * number / TICKS / 1e6);
  }

  /** The picture of a job that ran in this process: the history keeps no spans. */
  static String of(JobResult result) {
    return new Timeline(result).draw();
  }

  private String draw() {
    List<StepTimes> steps = result.steps();
    String title =
        SvgText.fit("job " + result.job() + ", " + result.state().text(), TITLE_FONT, WIDTH);
    int height = TOP + steps.size() * STEP + 30;
    line(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
            + " viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">",
        right, height, right, height);
    line("<title>%s</title>", SvgText.escape("job " + result.job()));
    line("<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>");
    line(
        "<text x=\"%d\" y=\"20\" font-size=\"%d\">%s</text>",
        MARGIN, TITLE_FONT, SvgText.escape(title));
    legend();
    ticks(height);
    for (int i = 0; i < steps.size(); i++) {
      step(steps.get(i), TOP + i * STEP);
    }
    line("</svg>");
    return svg.toString();
  }

  private void legend() {
    int x = left;
    for (StepTimes.Kind kind : StepTimes.Kind.values()) {
      line("<rect x=\"%d\" y=\"30\" width=\"12\" height=\"12\" fill=\"%s\"/>", x, colour(kind));
      line("<text x=\"%d\" y=\"40\">%s</text>", x + 17, kind.text());
      x += 17 + SvgText.width(kind.text(), FONT) + 2 * GAP;
    }
  }

  private void ticks(int height) {
    for (int i = 0; i <= TICKS; i++) {
      double x = left + (double) WIDTH * i / TICKS;
      line(
          "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#dddddd\"/>",
          x, TOP - 8, x, height - 20);
      line(
          "<text x=\"%.1f\" y=\"%d\" fill=\"#666666\" text-anchor=\"middle\">%s</text>",
          x, TOP - 14, tick(i));
    }
  }

  private void step(StepTimes step, int y) {
    label(name(step), y + 13, "#000000");
    label(place(step), y + 13 + ROW, "#666666");
    line(
        "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"#f4f4f4\"/>",
        x(step.startNs()), y, width(step.elapsedNs()), 2 * ROW);
    for (StepTimes.Span span : step.spans()) {
      int row = span.kind() == StepTimes.Kind.TRANSFER ? 0 : ROW;
      int thickness = span.kind() == StepTimes.Kind.QUEUE ? 4 : ROW - 4;
      line(
          "<rect class=\"%s\" x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"%s\">"
              + "<title>%s %.3f ms</title></rect>",
          span.kind().text(),
          x(span.startNs()),
          y + row + 2,
          Math.max(LEAST, width(span.endNs() - span.startNs())),
          thickness,
          colour(span.kind()),
          span.kind().text(),
          (span.endNs() - span.startNs()) / 1e6);
    }
  }

  private void label(String text, int y, String colour) {
    line(
        "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s<title>%s</title></text>",
        MARGIN,
        y,
        colour,
        SvgText.escape(SvgText.fit(text, FONT, left - MARGIN - GAP)),
        SvgText.escape(text));
  }

  private double x(long ns) {
    return left + width(ns);
  }

  private double width(long ns) {
    return Math.clamp(ns, 0, (long) totalNs) * WIDTH / totalNs;
  }

  private static String colour(StepTimes.Kind kind) {
    return switch (kind) {
      case BUILD -> "#7b3294";
      case QUEUE -> "#bbbbbb";
      case TRANSFER -> "#e08214";
      case COMPUTE -> "#2166ac";
    };
  }

  private void line(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
