package io.isle.apps.jobs.measure;

import io.isle.api.jobs.Measured;
import io.isle.lib.svg.Ink;
import io.isle.lib.svg.SvgPicture;
import io.isle.lib.svg.SvgPicture.Font;
import io.isle.lib.svg.SvgPicture.Key;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The groups of a job on their devices over time, as a picture: for each barrier a chart with a row
 * for each group, from the barrier's opening to its end.
 */
public final class GroupPicture {
  private static final int SPACE = 12;
  private static final int WIDTH = 1200;
  private static final int ROW = 44;
  private static final int TOP = 40;
  private static final int GAP = 56;
  private static final int TICKS = 10;

  /** Narrower spans could not be seen. */
  private static final double LEAST = 0.15;

  private final String job;
  private final List<Chart> charts;
  private final List<Measured.GroupShare> groups;
  private final SvgPicture picture;

  /** Where the charts begin: behind the widest label. */
  private final int left;

  /**
   * What was measured at one barrier.
   *
   * @param windowNs length of the time
   * @param running by group: start and end of each time on a device, in turns, since the opening
   */
  public record Chart(long windowNs, Map<String, long[]> running) {
    public static Chart of(Barrier barrier) {
      Map<String, long[]> running = new LinkedHashMap<>();
      barrier
          .shares()
          .forEach((group, share) -> running.put(group, within(barrier, share.work().running())));
      return new Chart(barrier.windowNs(), running);
    }

    /** The parts of spans within the measured time. */
    private static long[] within(Barrier barrier, long[] spans) {
      long[] parts = new long[spans.length];
      int count = 0;
      for (int i = 0; i < spans.length; i += 2) {
        long from = Math.max(spans[i] - barrier.fromNs(), 0);
        long to = Math.min(spans[i + 1] - barrier.fromNs(), barrier.windowNs());
        if (to > from) {
          parts[count++] = from;
          parts[count++] = to;
        }
      }
      return Arrays.copyOf(parts, count);
    }
  }

  public GroupPicture(String job, List<Chart> charts, List<Measured.GroupShare> groups) {
    this.job = job;
    this.charts = charts;
    this.groups = groups;
    int labels =
        groups.stream()
            .mapToInt(
                group -> Math.max(Font.NAME.width(group.name()), Font.NOTE.width(figures(group))))
            .max()
            .orElse(0);
    int tick = charts.stream().mapToInt(it -> Font.NOTE.width(tick(it, TICKS))).max().orElse(0);
    left = SvgPicture.MARGIN + Math.max(tick / 2, labels + SPACE);
    picture = new SvgPicture("job " + job + ": groups on their devices over time");
  }

  private static String tick(Chart chart, int number) {
    return String.format(Locale.ROOT, "%.0f ms", chart.windowNs() * number / TICKS / 1e6);
  }

  /** The picture of a job whose streams have ended. */
  public String draw() {
    picture.label(SvgPicture.MARGIN, 20, Font.TITLE, Ink.TEXT, WIDTH, "job " + job);
    List<Key> keys = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      keys.add(new Key(Ink.series(i), groups.get(i).name()));
    }
    int y = picture.legend(left, TOP, left + WIDTH, keys);
    picture.text(left, y, Font.NOTE, Ink.NOTE, "a box: work of the group on a device");
    y += SPACE;
    for (Chart chart : charts) {
      y = chart(chart, y);
    }
    return picture.svg();
  }

  /** Returns where the next one begins. */
  private int chart(Chart chart, int top) {
    int bottom = top + chart.running().size() * ROW;
    for (int i = 0; i <= TICKS; i++) {
      double x = left + (double) WIDTH * i / TICKS;
      picture.scaleLine(x, top, bottom + 4);
      picture.centred(x, bottom + 18, Font.NOTE, Ink.NOTE, tick(chart, i));
    }
    int y = top;
    for (int i = 0; i < groups.size(); i++) {
      long[] running = chart.running().get(groups.get(i).name());
      if (running != null) {
        row(chart, groups.get(i), running, Ink.series(i), y);
        y += ROW;
      }
    }
    return bottom + GAP;
  }

  private void row(Chart chart, Measured.GroupShare group, long[] running, Ink ink, int y) {
    picture.text(SvgPicture.MARGIN, y + 16, Font.NAME, Ink.TEXT, group.name());
    picture.text(SvgPicture.MARGIN, y + 32, Font.NOTE, Ink.NOTE, figures(group));
    picture.box(left, y + 4, WIDTH, ROW - 8, Ink.GROUND, "", "");
    double scale = WIDTH / (double) Math.max(1, chart.windowNs());
    try (SvgPicture.Boxes boxes = picture.boxes("group", ink)) {
      for (int i = 0; i < running.length; i += 2) {
        double width = Math.max(LEAST, (running[i + 1] - running[i]) * scale);
        boxes.box(left + running[i] * scale, y + 6, width, ROW - 12);
      }
    }
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
}
