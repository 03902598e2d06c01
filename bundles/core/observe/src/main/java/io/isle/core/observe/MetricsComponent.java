package io.isle.core.observe;

import io.isle.api.base.CheckedSettings;
import io.isle.api.observe.Metric;
import io.isle.api.observe.MetricSource;
import io.isle.api.observe.Metrics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Offers {@link Metrics}, and writes them to a file by the settings. */
@Component(service = Metrics.class, configurationPid = MetricsSettings.PID, immediate = true)
public final class MetricsComponent implements Metrics {
  private static final Logger LOG = LoggerFactory.getLogger(MetricsComponent.class);

  private final List<MetricSource> sources = new CopyOnWriteArrayList<>();

  /** Sources whose failure is logged. */
  private final Set<MetricSource> failed = ConcurrentHashMap.newKeySet();

  private final MetricsFile file = new MetricsFile(() -> text(all()), LOG::warn);
  private CheckedSettings settings = CheckedSettings.defaults(MetricsSettings.SCHEMA);

  @Activate
  public MetricsComponent(Map<String, Object> properties) {
    modified(properties);
  }

  /** Bad values leave those of before in force, as a whole. */
  @Modified
  void modified(Map<String, Object> properties) {
    try {
      CheckedSettings now = settings.change(properties, MetricsComponent::refused);
      file.follow(MetricsSettings.of(now));
      settings = now;
    } catch (IllegalArgumentException e) {
      refused(e.getMessage() + "; the last good settings stay in force");
    }
  }

  @Deactivate
  void deactivate() {
    file.close();
  }

  private static void refused(String why) {
    LOG.warn("{}: {}", MetricsSettings.PID, why);
  }

  @Reference(
      cardinality = ReferenceCardinality.MULTIPLE,
      policy = ReferencePolicy.DYNAMIC,
      unbind = "remove")
  void add(MetricSource source) {
    sources.add(source);
  }

  void remove(MetricSource source) {
    boolean ignored = sources.remove(source);
    ignored = failed.remove(source);
  }

  @Override
  public List<Metric> all() {
    List<Metric> all = new ArrayList<>();
    for (MetricSource source : sources) {
      try {
        all.addAll(source.metrics());
        boolean ignored = failed.remove(source);
      } catch (RuntimeException | LinkageError e) {
        if (failed.add(source)) {
          LOG.warn("metrics of {} are left out", source.getClass().getName(), e);
        }
      }
    }
    all.add(gauge("isle_metrics_sources", "sources of metrics", sources.size()));
    all.add(gauge("isle_metrics_failed_sources", "sources that are left out", failed.size()));
    all.sort(Comparator.comparing(Metric::name));
    return List.copyOf(all);
  }

  private static Metric gauge(String name, String help, int value) {
    return new Metric(name, Metric.Kind.GAUGE, help, Map.of(), value);
  }

  @Override
  public String text(List<Metric> metrics) {
    return MetricText.of(metrics);
  }
}
