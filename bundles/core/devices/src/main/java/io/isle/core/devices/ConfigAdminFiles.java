package io.isle.core.devices;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.osgi.service.cm.ConfigurationAdmin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads devices' settings from the factory configurations that FileInstall or others made. */
final class ConfigAdminFiles implements DeviceFiles {
  private static final Logger LOG = LoggerFactory.getLogger(ConfigAdminFiles.class);

  private final FactoryConfigurations configurations;
  private final Set<String> complained = ConcurrentHashMap.newKeySet();

  ConfigAdminFiles(ConfigurationAdmin admin) {
    this.configurations = new FactoryConfigurations(admin);
  }

  @Override
  public Map<DeviceName, Map<String, String>> read() {
    Map<DeviceName, Map<String, String>> files = new HashMap<>();
    configurations
        .read(Devices.FACTORY_PID)
        .forEach(
            (id, values) ->
                Optional.ofNullable(values.get(SettingsCheck.DRIVER))
                    .flatMap(driver -> DeviceName.parse(id, driver))
                    .or(() -> DeviceName.parse(id))
                    .ifPresentOrElse(name -> files.put(name, values), () -> complain(id)));
    return files;
  }

  private void complain(String id) {
    if (complained.add(id)) {
      LOG.warn(
          "{}: '{}' is not a device id; name the file io.isle.device-ID.cfg, where ID is the"
              + " driver's name and a number, such as io.isle.device-soft1.cfg",
          Devices.FACTORY_PID,
          Nodes.clean(id));
    }
  }
}
