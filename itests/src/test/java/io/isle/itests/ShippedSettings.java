package io.isle.itests;

import io.isle.api.base.Setting;
import io.isle.api.tenancy.GroupSpec;
import io.isle.core.accel.group.AccelGroupKeys;
import io.isle.core.drivers.nativecode.NativeDriver;
import io.isle.core.drivers.nativecode.NativeRuntime;
import io.isle.core.drivers.nativecode.host.Sandbox;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the code reads, and what the files of {@code config/} say. */
final class ShippedSettings {
  static final Path FOLDER = Path.of("..", "config");

  /** Keys that every device has; see docs/operations.md. */
  static final List<String> OF_ALL_DEVICES = List.of("driver", "tier", "isolation", "enabled");

  /** What shows how a group's file is written. */
  static final Path GROUP = FOLDER.resolve("io.isle.group-team-a.cfg.sample");

  private static final Path NATIVE = Path.of("..", "native-shims", "build", "release");
  private static final Map<String, String> SERVICES =
      Map.of(
          "io.isle.accel", "io.isle.core.accel.settings.AccelSettings",
          "io.isle.agents", "io.isle.core.agents.AgentsSettings",
          "io.isle.audit", "io.isle.core.observe.AuditLimits",
          "io.isle.drivers", "io.isle.core.drivers.DriversSettings");
  private static final List<String> NATIVE_DRIVERS =
      List.of("softaccel", "isleopencl", "testdisplay");

  /** A key with its value, also one that is commented out. */
  private static final Pattern LINE = Pattern.compile("#?([a-z][a-z0-9_.-]*) *= *(.*?) *");

  private ShippedSettings() {}

  /** Settings of the services, by PID. */
  static Map<String, List<Setting>> services() {
    Map<String, List<Setting>> all = new TreeMap<>();
    SERVICES.forEach((pid, type) -> all.put(pid, schema(type)));
    return all;
  }

  /**
   * Settings of the drivers' devices, by the driver's name; native ones are asked in their host.
   */
  static Map<String, List<Setting>> drivers() {
    NativeRuntime runtime =
        new NativeRuntime(NATIVE.toAbsolutePath().normalize(), 50, Sandbox.DEFAULT)
            .with(Sandbox.Profile.OPENCL, Path.of("target", "reference"));
    Map<String, List<Setting>> all = new TreeMap<>();
    for (String name : NATIVE_DRIVERS) {
      Path library = NATIVE.resolve("lib" + name + ".so").toAbsolutePath().normalize();
      var info = NativeDriver.introduction(runtime, library, line -> {}).info();
      all.put(info.name(), info.settings());
    }
    all.put("sim", schema("io.isle.drivers.sim.SimSettings"));
    return all;
  }

  /** Keys of groups' files: the parent, then those of all areas. */
  static Set<String> groupKeys() {
    Set<String> keys = new LinkedHashSet<>(Set.of(GroupSpec.PARENT));
    AccelGroupKeys.KEYS.forEach(key -> keys.add(key.key()));
    return keys;
  }

  @SuppressWarnings("unchecked")
  private static List<Setting> schema(String type) {
    try {
      Field schema = Class.forName(type).getDeclaredField("SCHEMA");
      schema.setAccessible(true);
      return (List<Setting>) schema.get(null);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(type + " has no settings any more", e);
    }
  }

  /** The values of a file by key, in its order, those that are commented out too. */
  static Map<String, String> values(Path file) throws IOException {
    Map<String, String> values = new LinkedHashMap<>();
    for (String line : Files.readAllLines(file)) {
      Matcher found = LINE.matcher(line);
      if (found.matches() && values.put(found.group(1), found.group(2)) != null) {
        throw new AssertionError(file + ": " + found.group(1) + " is there twice");
      }
    }
    return values;
  }
}
