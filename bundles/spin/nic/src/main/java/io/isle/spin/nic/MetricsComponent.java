package io.isle.spin.nic;

import io.isle.api.observe.Metric;
import io.isle.api.observe.MetricSource;
import io.isle.spin.nic.manage.SpinCore;
import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Tells monitoring the figures of network interfaces and their contexts. */
@Component(service = MetricSource.class)
public final class MetricsComponent implements MetricSource {
  private final SpinCore core;

  @Activate
  public MetricsComponent(@Reference SpinComponent component) {
    core = component.core();
  }

  @Override
  public List<Metric> metrics() {
    return core.metrics();
  }
}
