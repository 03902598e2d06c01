package io.isle.benchmarks.embedded;

import io.isle.api.base.ConfigFiles;
import io.isle.api.device.DeviceState;
import io.isle.api.device.DeviceTree;
import io.isle.api.driver.Drivers;
import io.isle.benchmarks.Settings;
import io.isle.benchmarks.embedded.FeatureFiles.FeatureBundle;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.launch.FrameworkFactory;

/**
 * The distribution's own bundles in a framework inside this process: features with all that they
 * need, as the distribution's feature files name them; no shell, no control. The API comes from
 * this program's class path, so that this program can use the services.
 */
public final class EmbeddedPlatform implements AutoCloseable {
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

  /** The bundle that reads {@code io.isle.drivers} when it starts. */
  private static final String DRIVERS = "isle-core-drivers";

  private final Path folder;
  private final URLClassLoader loader;
  private final Framework framework;
  private final Map<String, Path> jars = new HashMap<>();
  private final Map<String, Bundle> bundles = new LinkedHashMap<>();

  /** The core and the software driver. */
  public static EmbeddedPlatform ofDevices(Settings settings) throws IOException, BundleException {
    return new EmbeddedPlatform(
        settings,
        features -> {
          List<FeatureBundle> all = new ArrayList<>(features.bundles("isle-core"));
          all.add(features.bundle("isle-drivers", "isle-drivers-soft"));
          return all;
        });
  }

  /** The core and the rings. */
  public static EmbeddedPlatform ofRings(Settings settings) throws IOException, BundleException {
    return new EmbeddedPlatform(
        settings, features -> new ArrayList<>(features.bundles("isle-fabric")));
  }

  /** The core and the nets. */
  public static EmbeddedPlatform ofNets(Settings settings) throws IOException, BundleException {
    return new EmbeddedPlatform(
        settings, features -> new ArrayList<>(features.bundles("isle-net")));
  }

  /** The core and the driver of handlers of packets. */
  public static EmbeddedPlatform ofHandlers(Settings settings) throws IOException, BundleException {
    return new EmbeddedPlatform(
        settings,
        features -> {
          List<FeatureBundle> all = new ArrayList<>(features.bundles("isle-core"));
          all.add(features.bundle("isle-drivers", "isle-drivers-spin"));
          return all;
        });
  }

  /** The same with interfaces that run handlers, and with ports and labs. */
  public static EmbeddedPlatform ofNics(Settings settings) throws IOException, BundleException {
    return new EmbeddedPlatform(
        settings,
        features -> {
          List<FeatureBundle> all = new ArrayList<>(features.bundles("isle-net"));
          for (FeatureBundle bundle : features.bundles("isle-spin")) {
            if (!all.contains(bundle)) {
              all.add(bundle);
            }
          }
          all.add(features.bundle("isle-drivers", "isle-drivers-spin"));
          return all;
        });
  }

  /** Names the bundles beside those that Karaf has before any feature. */
  private interface Choice {
    List<FeatureBundle> of(FeatureFiles features) throws IOException;
  }

  /** Boots it. */
  private EmbeddedPlatform(Settings settings, Choice choice) throws IOException, BundleException {
    folder = Files.createTempDirectory("isle-bench");
    Path etc = Files.createDirectory(folder.resolve("etc"));
    Path system = settings.distribution().resolve("system");
    List<FeatureBundle> shared = new ArrayList<>();
    List<FeatureBundle> installed = new ArrayList<>();
    for (FeatureBundle bundle : consistsOf(system, choice)) {
      (isShared(bundle) ? shared : installed).add(bundle);
      jars.put(bundle.artifact(), bundle.jar());
    }
    loader =
        new URLClassLoader(
            new URL[] {implementation(system).toUri().toURL()},
            EmbeddedPlatform.class.getClassLoader());
    framework =
        ServiceLoader.load(FrameworkFactory.class, loader)
            .findFirst()
            .orElseThrow()
            .newFramework(
                Map.of(
                    Constants.FRAMEWORK_STORAGE,
                    folder.resolve("cache").toString(),
                    Constants.FRAMEWORK_SYSTEMPACKAGES_EXTRA,
                    exported(shared) + ",org.slf4j;version=1.7.36",
                    "karaf.etc",
                    etc.toString(),
                    "karaf.data",
                    folder.resolve("data").toString()));
    framework.start();
    boolean up = false;
    try {
      start(installed, settings);
      up = true;
    } finally {
      if (!up) {
        close();
      }
    }
  }

  private static List<FeatureBundle> consistsOf(Path system, Choice choice) throws IOException {
    FeatureFiles features = new FeatureFiles(system);
    List<FeatureBundle> all = choice.of(features);
    all.add(features.bundle("framework", "org.apache.felix.configadmin"));
    return FeatureFiles.inStartOrder(all);
  }

  /** The framework itself is in no feature. */
  private static Path implementation(Path system) throws IOException {
    try (Stream<Path> files = Files.walk(system.resolve("org/apache/felix"))) {
      return files
          .filter(file -> file.getFileName().toString().matches("org.apache.felix.framework-.*jar"))
          .findFirst()
          .orElseThrow(() -> new IOException("the distribution has no OSGi framework"));
    }
  }

  /** Types that this program and the platform have in common: the API, and what is in its types. */
  private static boolean isShared(FeatureBundle bundle) {
    boolean own = bundle.artifact().startsWith("isle-");
    return (!own || bundle.artifact().startsWith("isle-api-"))
        && Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(Path::of)
            .anyMatch(entry -> bundle.jar().getFileName().equals(entry.getFileName()));
  }

  /** Their packages in the versions that they have in the distribution. */
  private static String exported(List<FeatureBundle> shared) throws IOException {
    List<String> exported = new ArrayList<>();
    for (FeatureBundle bundle : shared) {
      try (JarFile jar = new JarFile(bundle.jar().toFile())) {
        exported.add(jar.getManifest().getMainAttributes().getValue(Constants.EXPORT_PACKAGE));
      }
    }
    return String.join(",", exported);
  }

  private void start(List<FeatureBundle> installed, Settings settings) throws BundleException {
    for (FeatureBundle bundle : installed) {
      bundles.put(bundle.artifact(), context().installBundle(bundle.jar().toUri().toString()));
    }
    for (FeatureBundle bundle : installed) {
      if (bundle.artifact().equals(DRIVERS)) {
        service(ConfigFiles.class)
            .set("io.isle.drivers", Map.of("native_dir", settings.nativeDirectory().toString()));
      }
      bundles.get(bundle.artifact()).start();
    }
  }

  /** A bundle of the platform by its artifact. */
  public Bundle bundle(String artifact) {
    return bundles.get(artifact);
  }

  /** The jar of a bundle. */
  public Path file(String artifact) {
    return jars.get(artifact);
  }

  public BundleContext context() {
    return framework.getBundleContext();
  }

  /** Closes a device of the platform's own, until the result is closed. */
  public Closed without(String device) {
    service(ConfigFiles.class)
        .set("io.isle.device-" + device, Map.of("driver", "soft", "enabled", "false"));
    awaitState(device, DeviceState.DISABLED);
    return () -> {
      boolean ignored = service(ConfigFiles.class).delete("io.isle.device-" + device);
      awaitState(device, DeviceState.ACTIVE);
    };
  }

  /** Opens it again. */
  public interface Closed extends AutoCloseable {
    @Override
    void close();
  }

  private void awaitState(String device, DeviceState state) {
    DeviceTree tree = service(DeviceTree.class);
    await(
        device + " is " + state.text(),
        () -> tree.find(device).filter(node -> node.state() == state).isPresent());
  }

  /** Waits until all that was asked for so far is in force, and standbys wait again. */
  public void settle() {
    service(Drivers.class).settle();
    DeviceTree tree = service(DeviceTree.class);
    await(
        "a standby of each device that has a host",
        () ->
            tree.nodes().stream()
                .allMatch(node -> node.hostPid().isEmpty() || node.standbyPid().isPresent()));
  }

  /** A service; waits for it. */
  public <S> S service(Class<S> type) {
    List<S> found = new ArrayList<>();
    await(
        type.getSimpleName() + " is there",
        () -> {
          references(type).stream()
              .map(reference -> context().getService(reference))
              .filter(type::isInstance)
              .map(type::cast)
              .forEach(found::add);
          return !found.isEmpty();
        });
    return found.getFirst();
  }

  /**
   * All of a type: this program's own classes are the API, so there is no other type of that name
   * that the framework would have to keep apart.
   */
  private List<ServiceReference<?>> references(Class<?> type) {
    try {
      ServiceReference<?>[] all = context().getAllServiceReferences(type.getName(), null);
      return all == null ? List.of() : List.of(all);
    } catch (InvalidSyntaxException e) {
      throw new IllegalStateException("without a filter", e);
    }
  }

  /**
   * Waits for a condition.
   *
   * @throws IllegalStateException when it does not come to hold
   */
  public static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE_NS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end >= 0) {
        throw new IllegalStateException("not done within 30 s: " + what);
      }
      try {
        TimeUnit.MICROSECONDS.sleep(200);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Override
  public void close() {
    try {
      framework.stop();
      framework.waitForStop(TimeUnit.NANOSECONDS.toMillis(PATIENCE_NS));
      loader.close();
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    } catch (BundleException | IOException | InterruptedException e) {
      throw new IllegalStateException("stopping the embedded platform", e);
    }
  }
}
