package io.isle.faces.shell.observe;

import io.isle.api.observe.Metric;
import io.isle.api.observe.Metrics;
import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes names of metrics. */
@Service
public final class MetricCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return services
        .ifThere(Metrics.class, one -> one.all().stream().map(Metric::name).distinct().toList())
        .orElse(List.of());
  }
}
