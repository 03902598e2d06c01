package io.isle.api.observe;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;

/** Whiteboard service that tells figures for monitoring. Thread-safe. */
@ConsumerType
@FunctionalInterface
public interface MetricSource {
  /** The figures as they are now; the call takes milliseconds at most. */
  List<Metric> metrics();
}
