package io.isle.core.devices;

import io.isle.api.base.ConfigFiles;
import io.isle.api.base.Errno;
import io.isle.api.device.DeviceException;
import io.isle.api.observe.Actor;
import io.isle.api.observe.AuditEvent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings of devices between their files and the model: read again whenever a file may have
 * changed, changed on request. What others changed in a file is written down. Belongs to the
 * registry's thread.
 */
final class DeviceSettings {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceSettings.class);

  private final ConfigFiles files;
  private final DeviceFiles source;
  private final DeviceModel model;
  private final Consumer<AuditEvent> audit;
  private boolean read;

  /**
   * @param audit hears of changes that were not asked for here
   */
  DeviceSettings(
      ConfigFiles files, DeviceFiles source, DeviceModel model, Consumer<AuditEvent> audit) {
    this.files = files;
    this.source = source;
    this.model = model;
    this.audit = audit;
  }

  /** The files may have changed. What is there at the first look is no change. */
  void refresh() {
    Map<DeviceName, Map<String, String>> before = model.files();
    boolean taken = take();
    if (taken && read) {
      edited(before, model.files());
    }
    read |= taken;
  }

  /** False when they cannot be read; then the known settings stay in force. */
  private boolean take() {
    try {
      model.files(source.read());
      return true;
    } catch (RuntimeException e) {
      LOG.warn(
          "the settings files of devices cannot be read; the last good settings stay in force", e);
      return false;
    }
  }

  private void edited(
      Map<DeviceName, Map<String, String>> before, Map<DeviceName, Map<String, String>> now) {
    Set<DeviceName> names = new HashSet<>(before.keySet());
    names.addAll(now.keySet());
    for (DeviceName name : names.stream().sorted(DeviceName.ORDER).toList()) {
      Map<String, String> changes =
          changes(before.getOrDefault(name, Map.of()), now.getOrDefault(name, Map.of()));
      if (!changes.isEmpty()) {
        AuditEvent event =
            AuditEvent.of(Actor.PLATFORM, "device.configure")
                .device(name.id())
                .object(pid(name.id()) + ".cfg");
        String refusal = model.refusal(name);
        audit.accept(
            refusal.isEmpty()
                ? event.detail(changes.toString())
                : event.failed(Errno.EINVAL, refusal));
      }
    }
  }

  /** Key to new value; null where a key is gone. */
  private static Map<String, String> changes(Map<String, String> before, Map<String, String> now) {
    Map<String, String> changes = new TreeMap<>(now);
    changes.entrySet().removeIf(entry -> entry.getValue().equals(before.get(entry.getKey())));
    before.keySet().stream()
        .filter(key -> !now.containsKey(key))
        .forEach(key -> changes.put(key, null));
    return changes;
  }

  /**
   * Changes a device's file; a null value removes the key.
   *
   * @throws DeviceException ENOENT unknown device; EINVAL bad key or value; then nothing changed;
   *     EIO when it was written but cannot be read back; then the known settings stay in force
   */
  void change(String id, Map<String, String> changes) {
    refresh();
    Map<String, String> wanted = new HashMap<>(model.raw(id));
    wanted.putAll(changes);
    wanted.values().removeIf(Objects::isNull);
    if (!model.isBound(id)) {
      changes.keySet().stream()
          .filter(key -> !SettingsCheck.isOurs(key))
          .findFirst()
          .ifPresent(
              key -> {
                throw refused(
                    Nodes.clean(key)
                        + ": cannot be checked while driver "
                        + model.driver(id)
                        + " is not installed");
              });
    }
    Optional<String> refusal = model.refusal(id, wanted);
    if (refusal.isPresent()) {
      throw refused(refusal.get());
    }
    Map<String, String> write = new HashMap<>(changes);
    if (!wanted.containsKey(SettingsCheck.DRIVER)) {
      write.put(SettingsCheck.DRIVER, model.driver(id));
    }
    try {
      files.set(pid(id), write);
    } catch (IllegalArgumentException e) {
      throw new DeviceException(Errno.EINVAL, e.getMessage(), e);
    }
    if (!take()) {
      throw new DeviceException(
          Errno.EIO,
          id
              + ": the change is in the device's file but not in force, because the"
              + " file cannot be read back");
    }
  }

  private static DeviceException refused(String why) {
    return new DeviceException(Errno.EINVAL, why);
  }

  private static String pid(String id) {
    return Devices.FACTORY_PID + "-" + id;
  }
}
