package io.isle.apps.jobs.spec;

import io.isle.api.device.DeviceClass;
import java.util.Map;
import java.util.Optional;

/** Reads {@code device}: an id, a class, {@code any}, or a mapping of conditions. */
final class DeviceParser {
  static final String ID = "[a-z][a-z0-9]{0,15}?[0-9]{1,9}";

  private static final JobSpec.Device ANY =
      new JobSpec.Device(Optional.empty(), Optional.empty(), 0);

  private final Parameters parameters;

  DeviceParser(Parameters parameters) {
    this.parameters = parameters;
  }

  JobSpec.Device device(Located at) {
    if (at == null) {
      return ANY;
    }
    if (!at.isMapping()) {
      String text = parameters.text(at);
      if (text.equals("any")) {
        return ANY;
      }
      Optional<DeviceClass> deviceClass = classOf(text);
      return new JobSpec.Device(
          deviceClass.isPresent() ? Optional.empty() : Optional.of(id(at, text)), deviceClass, 0);
    }
    Map<String, Located> keys = at.mapping("id", "class", "memory");
    return new JobSpec.Device(
        Optional.ofNullable(keys.get("id")).map(a -> id(a, parameters.text(a))),
        Optional.ofNullable(keys.get("class"))
            .map(
                a ->
                    classOf(parameters.text(a))
                        .orElseThrow(
                            () -> a.error("is not a class of devices, such as gpu_compute"))),
        parameters.bytes(keys.get("memory"), 0, Long.MAX_VALUE));
  }

  private static String id(Located at, String text) {
    if (!text.matches(ID)) {
      throw at.error(
          "'"
              + text
              + "' is neither 'any', nor a class such as gpu_compute, nor an id such as soft0");
    }
    return text;
  }

  private static Optional<DeviceClass> classOf(String text) {
    for (DeviceClass value : DeviceClass.values()) {
      if (value.text().equals(text)) {
        return Optional.of(value);
      }
    }
    return Optional.empty();
  }
}
