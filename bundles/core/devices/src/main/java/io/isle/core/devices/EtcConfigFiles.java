package io.isle.core.devices;

import io.isle.api.base.ConfigFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;

/**
 * Settings as files in one folder and as configurations, both with the same strings. FileInstall,
 * which looks at the same folder, finds the configuration by the file's name and sees nothing to
 * do. Thread-safe; one change at a time.
 */
final class EtcConfigFiles implements ConfigFiles {
  /** Tries to update a configuration that somebody else deletes at the same time. */
  private static final int TRIES = 3;

  private final Path folder;
  private final ConfigurationAdmin admin;

  /** Work on files or configurations. */
  interface Work {
    void run() throws Exception;
  }

  EtcConfigFiles(Path folder, ConfigurationAdmin admin) {
    this.folder = folder.toAbsolutePath();
    this.admin = admin;
  }

  boolean isFolder(Path other) {
    return folder.equals(other.toAbsolutePath());
  }

  /** Runs work while no change is under way. */
  synchronized void between(Work work) throws Exception {
    work.run();
  }

  @Override
  public synchronized Optional<Map<String, String>> read(String pid) {
    CfgFile file = new CfgFile(path(pid));
    try {
      return file.exists() ? Optional.of(file.read()) : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(path(pid) + " cannot be read", e);
    }
  }

  @Override
  public synchronized void set(String pid, Map<String, String> changes) {
    Path path = path(pid);
    changes.forEach(EtcConfigFiles::check);
    CfgFile file = new CfgFile(path);
    try {
      file.wholly(
          () -> {
            Dictionary<String, Object> properties = new Hashtable<>(file.change(changes));
            properties.put(FactoryConfigurations.FILE_NAME, key(path));
            update(pid, path, properties);
          });
    } catch (IOException e) {
      throw new UncheckedIOException(path + " cannot be written", e);
    }
  }

  private void update(String pid, Path path, Dictionary<String, Object> properties)
      throws IOException {
    for (int i = 1; ; i++) {
      Configuration configuration = configuration(pid, path);
      try {
        configuration.update(properties);
        return;
      } catch (IllegalStateException deleted) {
        if (i == TRIES) {
          throw deleted;
        }
      }
    }
  }

  @Override
  public Map<String, Map<String, String>> instances(String factoryPid) {
    return new FactoryConfigurations(admin).read(factoryPid);
  }

  @Override
  public synchronized boolean delete(String pid) {
    Path path = path(pid);
    CfgFile file = new CfgFile(path);
    boolean there = file.exists();
    try {
      Optional<Configuration> known = known(path);
      file.wholly(
          () -> {
            boolean ignored = file.delete();
            if (known.isPresent()) {
              deleteOrFindDeleted(known.get(), path);
            }
          });
      return there || known.isPresent();
    } catch (IOException e) {
      throw new UncheckedIOException(path + " cannot be deleted", e);
    }
  }

  /** FileInstall may be first, because the file is gone. */
  private void deleteOrFindDeleted(Configuration configuration, Path path) throws IOException {
    try {
      configuration.delete();
    } catch (IllegalStateException e) {
      if (known(path).isPresent()) {
        throw e;
      }
    }
  }

  private Path path(String pid) {
    if (!pid.matches("[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}")) {
      throw new IllegalArgumentException(
          "'"
              + Nodes.clean(pid)
              + "' is not a PID: 1 to 200 letters, digits, '_', '.', '-' are"
              + " needed");
    }
    return folder.resolve(pid + ".cfg");
  }

  private static void check(String key, String value) {
    if (!key.matches("[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")) {
      throw new IllegalArgumentException(
          "'"
              + Nodes.clean(key)
              + "' is not a key: 1 to 100 letters, digits, '_', '.', '-' are"
              + " needed");
    }
    if (value != null
        && (value.contains("${") || value.chars().anyMatch(Character::isISOControl))) {
      throw new IllegalArgumentException(
          key
              + ": a value must not contain control characters or '${', which the container would"
              + " expand");
    }
    if (value != null && !value.equals(value.strip())) {
      throw new IllegalArgumentException(key + ": a value must not begin or end with a blank");
    }
  }

  /** The configuration that stands for the file, made if there is none. */
  private Configuration configuration(String pid, Path path) throws IOException {
    Optional<Configuration> known = known(path);
    if (known.isPresent()) {
      return known.get();
    }
    int dash = pid.indexOf('-');
    return dash > 0
        ? admin.getFactoryConfiguration(pid.substring(0, dash), pid.substring(dash + 1), "?")
        : admin.getConfiguration(pid, "?");
  }

  private Optional<Configuration> known(Path path) throws IOException {
    try {
      Configuration[] all = admin.listConfigurations(null);
      return all == null
          ? Optional.empty()
          : Stream.of(all).filter(found -> stands(found, path)).findFirst();
    } catch (InvalidSyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean stands(Configuration configuration, Path path) {
    return FactoryConfigurations.found(configuration)
        .filter(found -> key(path).equals(found.properties().get(FactoryConfigurations.FILE_NAME)))
        .isPresent();
  }

  /** As FileInstall writes it. */
  private static String key(Path path) {
    return path.toFile().getAbsoluteFile().toURI().toString();
  }
}
