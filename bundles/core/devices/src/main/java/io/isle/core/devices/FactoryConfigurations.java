package io.isle.core.devices;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.Dictionary;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;

/** The configurations of a factory PID that FileInstall or others made. Thread-safe. */
final class FactoryConfigurations {
  static final String FILE_NAME = "felix.fileinstall.filename";

  private static final List<String> CONTAINER_KEYS =
      List.of("service.", "felix.fileinstall.", "org.apache.karaf.");

  private final ConfigurationAdmin admin;

  FactoryConfigurations(ConfigurationAdmin admin) {
    this.admin = admin;
  }

  /** What they say, by what the file's name has after the factory PID. */
  Map<String, Map<String, String>> read(String factoryPid) {
    Map<String, Map<String, String>> files = new HashMap<>();
    for (Found found : configurations(factoryPid)) {
      String name = name(factoryPid, found.pid(), found.properties().get(FILE_NAME));
      files.putIfAbsent(name, values(found.properties()));
    }
    return files;
  }

  /** Those that stand for a file first, so that they win. */
  private List<Found> configurations(String factoryPid) {
    try {
      Configuration[] found = admin.listConfigurations("(service.factoryPid=" + factoryPid + ")");
      return found == null
          ? List.of()
          : Stream.of(found)
              .flatMap(one -> found(one).stream())
              .sorted(Comparator.comparing(Found::hasNoFile).thenComparing(Found::pid))
              .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InvalidSyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A configuration with its properties, at one time. */
  record Found(String pid, Dictionary<String, Object> properties) {
    boolean hasNoFile() {
      return properties.get(FILE_NAME) == null;
    }
  }

  /** Empty for a configuration without properties, or that was deleted since it was listed. */
  static Optional<Found> found(Configuration configuration) {
    try {
      Dictionary<String, Object> properties = configuration.getProperties();
      return properties == null
          ? Optional.empty()
          : Optional.of(new Found(configuration.getPid(), properties));
    } catch (IllegalStateException deleted) {
      return Optional.empty();
    }
  }

  /** The name from the file's name, or else from the name of the configuration. */
  private static String name(String factoryPid, String pid, Object file) {
    if (file != null) {
      String path = file.toString();
      String name =
          path.startsWith("file:")
              ? Path.of(URI.create(path)).getFileName().toString()
              : path.substring(path.lastIndexOf('/') + 1);
      String base = name.substring(0, name.contains(".cfg") ? name.lastIndexOf(".cfg") : 0);
      return base.startsWith(factoryPid) && base.length() > factoryPid.length()
          ? base.substring(factoryPid.length() + 1)
          : name;
    }
    return pid.startsWith(factoryPid) && pid.length() > factoryPid.length()
        ? pid.substring(factoryPid.length() + 1)
        : pid;
  }

  private static Map<String, String> values(Dictionary<String, Object> properties) {
    Map<String, String> values = new HashMap<>();
    for (String key : Collections.list(properties.keys())) {
      if (CONTAINER_KEYS.stream().noneMatch(key::startsWith)) {
        values.put(key, String.valueOf(properties.get(key)).strip());
      }
    }
    return values;
  }
}
