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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads devices' settings from the factory configurations that FileInstall or others made. */
final class ConfigAdminFiles implements DeviceFiles {
  static final String FILE_NAME = "felix.fileinstall.filename";

  private static final Logger LOG = LoggerFactory.getLogger(ConfigAdminFiles.class);
  private static final List<String> CONTAINER_KEYS =
      List.of("service.", "felix.fileinstall.", "org.apache.karaf.");

  private final ConfigurationAdmin admin;
  private final Set<String> complained = ConcurrentHashMap.newKeySet();

  ConfigAdminFiles(ConfigurationAdmin admin) {
    this.admin = admin;
  }

  @Override
  public Map<DeviceName, Map<String, String>> read() {
    Map<DeviceName, Map<String, String>> files = new HashMap<>();
    for (Configuration configuration : configurations()) {
      Dictionary<String, Object> properties = configuration.getProperties();
      if (properties == null) {
        continue;
      }
      String id = id(configuration.getPid(), properties.get(FILE_NAME));
      Map<String, String> values = values(properties);
      Optional<DeviceName> name =
          Optional.ofNullable(values.get(SettingsCheck.DRIVER))
              .flatMap(driver -> DeviceName.parse(id, driver))
              .or(() -> DeviceName.parse(id));
      if (name.isPresent()) {
        files.putIfAbsent(name.get(), values);
      } else if (complained.add(configuration.getPid())) {
        LOG.warn(
            "{}: '{}' is no device; name the file io.isle.device-DRIVER and a number .cfg, such as"
                + " io.isle.device-soft1.cfg",
            configuration.getPid(),
            Nodes.clean(id));
      }
    }
    return files;
  }

  /** Those that stand for a file first, so that they win. */
  private List<Configuration> configurations() {
    try {
      Configuration[] found =
          admin.listConfigurations("(service.factoryPid=" + Devices.FACTORY_PID + ")");
      return found == null
          ? List.of()
          : Stream.of(found)
              .sorted(
                  Comparator.comparing(ConfigAdminFiles::hasNoFile)
                      .thenComparing(Configuration::getPid))
              .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InvalidSyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean hasNoFile(Configuration configuration) {
    Dictionary<String, Object> properties = configuration.getProperties();
    return properties == null || properties.get(FILE_NAME) == null;
  }

  /** The device's name from the file's name, or else from the name of the configuration. */
  private static String id(String pid, Object file) {
    if (file != null) {
      String path = file.toString();
      String name =
          path.startsWith("file:")
              ? Path.of(URI.create(path)).getFileName().toString()
              : path.substring(path.lastIndexOf('/') + 1);
      String base = name.substring(0, name.contains(".cfg") ? name.lastIndexOf(".cfg") : 0);
      if (base.startsWith(Devices.FACTORY_PID) && base.length() > Devices.FACTORY_PID.length()) {
        return base.substring(Devices.FACTORY_PID.length() + 1);
      }
      return name;
    }
    return pid.startsWith(Devices.FACTORY_PID) && pid.length() > Devices.FACTORY_PID.length()
        ? pid.substring(Devices.FACTORY_PID.length() + 1)
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
