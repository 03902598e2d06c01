package io.isle.faces.shell.job;

import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.StepTimes;
import io.isle.lib.svg.Ink;
import io.isle.lib.svg.SvgPicture;
import io.isle.lib.svg.SvgPicture.Font;
import io.isle.lib.svg.SvgPicture.Key;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The steps of a job over its time, as a picture: for each step a row of its transfers and one of
 * the rest (building its program, waiting, computing).
 */
final class Timeline {
  private static final int GAP = 12;

  /** Longer labels are cut short, and shown whole on pointing at them. */
  private static final int MOST_LABEL = 400;

  private static final int WIDTH = 900;
  private static final int ROW = 18;
  private static final int STEP = 2 * ROW + 10;
  private static final int LEGEND = 40;
  private static final int TICKS = 6;

  /** Narrower spans could not be seen. */
  private static final double LEAST = 0.5;

  private final JobResult result;
  private final double totalNs;
  private final SvgPicture picture;

  /** Where the chart begins: behind the widest label. */
  private final int left;

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
            .flatMap(step -> Stream.of(name(step), place(step)))
            .mapToInt(Font.NOTE::width)
            .max()
            .orElse(0);
    int half = Font.NOTE.width(tick(TICKS)) / 2 + 1;
    left = SvgPicture.MARGIN + Math.max(half, Math.min(MOST_LABEL, labels) + GAP);
    picture = new SvgPicture("job " + result.job());
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
    String title = "job " + result.job() + ", " + result.state().text();
    picture.label(SvgPicture.MARGIN, 20, Font.TITLE, Ink.TEXT, WIDTH, title);
    List<Key> keys =
        Stream.of(StepTimes.Kind.values()).map(kind -> new Key(ink(kind), kind.text())).toList();
    int top = picture.legend(left, LEGEND, left + WIDTH, keys) + GAP;
    ticks(top, top + steps.size() * STEP);
    for (int i = 0; i < steps.size(); i++) {
      step(steps.get(i), top + i * STEP);
    }
    return picture.svg();
  }

  private void ticks(int top, int bottom) {
    for (int i = 0; i <= TICKS; i++) {
      double x = left + (double) WIDTH * i / TICKS;
      picture.scaleLine(x, top - 8, bottom);
      picture.centred(x, top - 14, Font.NOTE, Ink.NOTE, tick(i));
    }
  }

  private void step(StepTimes step, int y) {
    int most = left - SvgPicture.MARGIN - GAP;
    picture.label(SvgPicture.MARGIN, y + 13, Font.NOTE, Ink.TEXT, most, name(step));
    picture.label(SvgPicture.MARGIN, y + 13 + ROW, Font.NOTE, Ink.NOTE, most, place(step));
    picture.box(x(step.startNs()), y, width(step.elapsedNs()), 2 * ROW, Ink.GROUND, "", "");
    for (StepTimes.Span span : step.spans()) {
      int row = span.kind() == StepTimes.Kind.TRANSFER ? 0 : ROW;
      int thickness = span.kind() == StepTimes.Kind.QUEUE ? 4 : ROW - 4;
      long ns = span.endNs() - span.startNs();
      String kind = span.kind().text();
      picture.box(
          x(span.startNs()),
          y + row + 2,
          Math.max(LEAST, width(ns)),
          thickness,
          ink(span.kind()),
          kind,
          String.format(Locale.ROOT, "%s %.3f ms", kind, ns / 1e6));
    }
  }

  private double x(long ns) {
    return left + width(ns);
  }

  private double width(long ns) {
    return Math.clamp(ns, 0, (long) totalNs) * WIDTH / totalNs;
  }

  private static Ink ink(StepTimes.Kind kind) {
    return switch (kind) {
      case BUILD -> Ink.VIOLET;
      case QUEUE -> Ink.IDLE;
      case TRANSFER -> Ink.ORANGE;
      case COMPUTE -> Ink.BLUE;
    };
  }
}
