package io.isle.apps.chaos.platform;

import io.isle.apps.chaos.plan.Part;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.wiring.BundleWiring;

/** Restarts and updates bundles, and remembers their class loaders. Thread-safe. */
public final class Bundles {
  private static final long PATIENCE_MS = TimeUnit.SECONDS.toMillis(20);

  private final BundleContext context;
  private final Pace pace;
  private final List<WeakReference<ClassLoader>> loaders = new ArrayList<>();

  public Bundles(BundleContext context, Pace pace) {
    this.context = context;
    this.pace = pace;
  }

  /** The bundles that may be restarted, as their headers say. */
  public List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    for (Bundle bundle : context.getBundles()) {
      String header = bundle.getHeaders("").get(Part.HEADER);
      if (header != null) {
        Part.of(bundle.getSymbolicName(), header).ifPresent(parts::add);
      }
    }
    return parts;
  }

  /**
   * Stops and starts a bundle.
   *
   * @param update read its file anew in between, which gives it a new class loader
   * @return whether it is active again
   */
  public boolean restart(String name, boolean update) throws InterruptedException {
    Bundle bundle = find(name);
    remember(bundle);
    Change away = update ? bundle::update : bundle::stop;
    return pace.until(PATIENCE_MS, () -> tried(away))
        && pace.until(PATIENCE_MS, () -> tried(bundle::start) && active(bundle));
  }

  /** Class loaders of bundles that were replaced and are still there. */
  public synchronized long oldLoaders() {
    Set<ClassLoader> current = new HashSet<>();
    for (Bundle bundle : context.getBundles()) {
      loader(bundle).ifPresent(current::add);
    }
    return loaders.stream()
        .map(WeakReference::get)
        .filter(loader -> loader != null && !current.contains(loader))
        .distinct()
        .count();
  }

  private Bundle find(String name) {
    return Stream.of(context.getBundles())
        .filter(bundle -> name.equals(bundle.getSymbolicName()))
        .findAny()
        .orElseThrow(() -> new IllegalArgumentException("no bundle " + name));
  }

  private synchronized void remember(Bundle bundle) {
    loaders.removeIf(known -> known.get() == null);
    loader(bundle).ifPresent(loader -> loaders.add(new WeakReference<>(loader)));
  }

  private static Optional<ClassLoader> loader(Bundle bundle) {
    return Optional.ofNullable(bundle.adapt(BundleWiring.class)).map(BundleWiring::getClassLoader);
  }

  private static boolean active(Bundle bundle) {
    return bundle.getState() == Bundle.ACTIVE;
  }

  /** The framework may say that its resolver is busy; then one asks again. */
  private static boolean tried(Change change) {
    try {
      change.make();
      return true;
    } catch (BundleException | IllegalStateException e) {
      return false;
    }
  }

  /** A change of a bundle's state. */
  private interface Change {
    void make() throws BundleException;
  }
}
