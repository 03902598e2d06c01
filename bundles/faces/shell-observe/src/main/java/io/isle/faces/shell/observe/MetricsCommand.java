package io.isle.faces.shell.observe;

import io.isle.api.observe.Metric;
import io.isle.api.observe.Metrics;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.Table;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code metrics:list}. */
@Service
@Command(
    scope = "metrics",
    name = "list",
    description = "Shows figures for monitoring, which io.isle.metrics.cfg also writes to a file")
@RequiredRole(Role.VIEWER)
public final class MetricsCommand extends IsleCommand {
  @Argument(name = "begin", description = "Only names that begin so, such as isle_net")
  @Completion(MetricCompleter.class)
  private String begin = "";

  @Option(name = "--text", description = "In the text format of Prometheus; not with --json")
  private boolean text;

  @Override
  protected void run(Output output) {
    if (text && output.json()) {
      throw ShellException.usage("--text and --json exclude each other");
    }
    Metrics metrics = services().with(Metrics.class, one -> one);
    List<Metric> found =
        metrics.all().stream().filter(one -> one.name().startsWith(begin)).toList();
    if (text) {
      output.line(metrics.text(found).stripTrailing());
      return;
    }
    output.table(
        new Table<Metric>("No metrics of this name.")
            .column("metric", Metric::name)
            .whole()
            .column("labels", "labels", Metric::labels, MetricsCommand::labels)
            .jsonOnly("kind", one -> one.kind().text())
            .jsonOnly("help", Metric::help)
            .column("value", "value", Metric::value, MetricsCommand::number),
        found);
  }

  private static String labels(Object labels) {
    return labels instanceof Map<?, ?> map
        ? map.entrySet().stream()
            .map(one -> one.getKey() + "=" + one.getValue())
            .collect(Collectors.joining(" "))
        : "";
  }

  /** Counts without a fraction. */
  private static String number(Object value) {
    return value instanceof Double number && number == Math.rint(number)
        ? String.format(Locale.ROOT, "%.0f", number)
        : String.valueOf(value);
  }

  /** For tests. */
  MetricsCommand of(String prefix, boolean asText) {
    begin = prefix;
    text = asText;
    return this;
  }
}
