package io.isle.benchmarks.recovery;

import io.isle.api.base.ConfigFiles;
import io.isle.api.device.DeviceState;
import io.isle.api.device.DeviceTree;
import io.isle.api.driver.Drivers;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
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
 * The distribution's own bundles in a framework inside this process: drivers, core and their
 * libraries, without shell and control. The API comes from this program's class path, so that it
 * can use the services.
 */
final class EmbeddedPlatform implements AutoCloseable {
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

  /** Start order: what the others need first. */
  private static final List<String> BUNDLES =
      List.of(
          "org.osgi.service.component",
          "org.osgi.util.function",
          "org.osgi.util.promise",
          "org.apache.felix.configadmin",
          "org.apache.felix.scr",
          "isle-lib-ffi",
          "isle-lib-shm",
          "isle-lib-kabi",
          "isle-lib-agent",
          "isle-lib-ids",
          "isle-lib-signing",
          "isle-core-tenancy",
          "isle-core-devices",
          "isle-core-agents",
          "isle-core-accel",
          "isle-core-drivers",
          "isle-core-health",
          "isle-drivers-soft");

  /** What it has from this program's class path. */
  private static final List<String> SHARED =
      List.of(
          "isle-api-base",
          "isle-api-device",
          "isle-api-driver",
          "isle-api-accel",
          "isle-api-health",
          "isle-api-tenancy",
          "isle-api-observe",
          "HdrHistogram");

  private final Path folder;
  private final URLClassLoader loader;
  private final Framework framework;
  private final Map<String, Path> jars = new HashMap<>();
  private final Map<String, Bundle> bundles = new HashMap<>();

  /** Boots it. */
  EmbeddedPlatform(Settings settings) throws IOException, BundleException {
    folder = Files.createTempDirectory("isle-bench");
    Path etc = Files.createDirectory(folder.resolve("etc"));
    findJars(settings.distribution().resolve("system"));
    loader =
        new URLClassLoader(
            new URL[] {jar("org.apache.felix.framework").toUri().toURL()},
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
                    shared() + ",org.slf4j;version=1.7.36",
                    "karaf.etc",
                    etc.toString()));
    framework.start();
    boolean up = false;
    try {
      for (String name : BUNDLES) {
        bundles.put(name, framework.getBundleContext().installBundle(jar(name).toUri().toString()));
      }
      for (String name : BUNDLES) {
        if (name.equals("isle-core-drivers")) {
          service(ConfigFiles.class)
              .set("io.isle.drivers", Map.of("native_dir", settings.nativeDirectory().toString()));
        }
        bundles.get(name).start();
      }
      up = true;
    } finally {
      if (!up) {
        close();
      }
    }
  }

  private void findJars(Path system) throws IOException {
    try (Stream<Path> files = Files.walk(system)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".jar")).toList()) {
        // GROUP.../ARTIFACT/VERSION/ARTIFACT-VERSION.jar
        jars.put(file.getParent().getParent().getFileName().toString(), file);
      }
    }
  }

  /** Their packages in the versions that they have in the distribution. */
  private String shared() throws IOException {
    List<String> exported = new ArrayList<>();
    for (String artifact : SHARED) {
      try (JarFile jar = new JarFile(jar(artifact).toFile())) {
        exported.add(jar.getManifest().getMainAttributes().getValue(Constants.EXPORT_PACKAGE));
      }
    }
    return String.join(",", exported);
  }

  private Path jar(String artifact) throws IOException {
    Path file = jars.get(artifact);
    if (file == null) {
      throw new IOException("the distribution has no " + artifact);
    }
    return file;
  }

  /** A bundle of the platform by its artifact. */
  Bundle bundle(String artifact) {
    return bundles.get(artifact);
  }

  /** Its jar. */
  Path file(String artifact) throws IOException {
    return jar(artifact);
  }

  BundleContext context() {
    return framework.getBundleContext();
  }

  /** Closes a device of the platform's own, until the result is closed. */
  Closed without(String device) {
    service(ConfigFiles.class)
        .set("io.isle.device-" + device, Map.of("driver", "soft", "enabled", "false"));
    awaitState(device, DeviceState.DISABLED);
    return () -> {
      boolean ignored = service(ConfigFiles.class).delete("io.isle.device-" + device);
      awaitState(device, DeviceState.ACTIVE);
    };
  }

  /** Opens it again. */
  interface Closed extends AutoCloseable {
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
  void settle() {
    service(Drivers.class).settle();
    DeviceTree tree = service(DeviceTree.class);
    await(
        "a standby of each device that has a host",
        () ->
            tree.nodes().stream()
                .allMatch(node -> node.hostPid().isEmpty() || node.standbyPid().isPresent()));
  }

  /** A service; waits for it. */
  <S> S service(Class<S> type) {
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
  static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE_NS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end >= 0) {
        throw new IllegalStateException("not within 30 s: " + what);
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
