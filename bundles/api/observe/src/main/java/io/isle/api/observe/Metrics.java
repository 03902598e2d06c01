package io.isle.api.observe;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** The figures of all {@link MetricSource}s. Thread-safe. */
@ProviderType
public interface Metrics {
  /** All figures as they are now, sorted by name; a source that fails is left out. */
  List<Metric> all();

  /**
   * Figures in the text format of Prometheus, version 0.0.4.
   *
   * @param metrics sorted by name
   */
  String text(List<Metric> metrics);
}
