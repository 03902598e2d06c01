package io.isle.apps.chaos.look;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.ContextInfo;
import io.isle.api.tenancy.Capabilities;
import io.isle.apps.chaos.check.Resources;
import io.isle.apps.chaos.platform.Bundles;
import io.isle.apps.chaos.platform.Core;
import io.isle.apps.chaos.platform.Platform;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts threads, descriptors, mappings, processes, class loaders and the core's own handles of
 * this process. Thread-safe.
 */
public final class ResourceSnapshot {
  private final Core core;
  private final Bundles bundles;

  public ResourceSnapshot(Platform platform) {
    core = platform.core();
    bundles = platform.bundles();
  }

  /** A line for each context that the core has. */
  public List<String> contexts() {
    return core.get(AccelAdmin.class).contexts().stream().map(ContextInfo::toString).toList();
  }

  /**
   * Counts now, after the garbage is gone.
   *
   * @throws Core.AwayException while the core is away
   */
  public Resources take() {
    System.gc();
    Map<String, Long> counts = new TreeMap<>();
    Threads.count(counts);
    ProcessFiles.descriptors(counts);
    ProcessFiles.mappings(counts);
    Children.count(counts);
    AccelAdmin admin = core.get(AccelAdmin.class);
    counts.put(Resources.HANDLES + "context", (long) admin.contexts().size());
    counts.put(Resources.HANDLES + "memory", (long) admin.memory().size());
    counts.put(Resources.HANDLES + "capability", (long) core.get(Capabilities.class).list().size());
    counts.put("class loaders of replaced bundles", bundles.oldLoaders());
    return new Resources(counts);
  }
}
