package io.isle.core.observe;

import io.isle.api.observe.Metric;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The text format of Prometheus, version 0.0.4. */
final class MetricText {
  private MetricText() {}

  /**
   * Writes figures.
   *
   * @param metrics sorted by name
   */
  static String of(List<Metric> metrics) {
    StringBuilder text = new StringBuilder();
    String last = "";
    for (Metric metric : metrics) {
      if (!metric.name().equals(last)) {
        last = metric.name();
        text.append("# HELP ").append(last).append(' ').append(help(metric.help()));
        text.append("\n# TYPE ").append(last).append(' ').append(metric.kind().text()).append('\n');
      }
      text.append(last).append(labels(metric.labels())).append(' ').append(number(metric.value()));
      text.append('\n');
    }
    return text.toString();
  }

  private static String help(String text) {
    return text.replace("\\", "\\\\").replace("\n", "\\n");
  }

  private static String labels(Map<String, String> labels) {
    return labels.isEmpty()
        ? ""
        : labels.entrySet().stream()
            .map(one -> one.getKey() + "=\"" + help(one.getValue()).replace("\"", "\\\"") + '"')
            .collect(Collectors.joining(",", "{", "}"));
  }

  /** Counts without a fraction, as people read them. */
  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1L << 53
        ? Long.toString((long) value)
        : Double.toString(value);
  }
}
