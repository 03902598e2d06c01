package io.isle.itests;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import io.isle.api.base.Setting;
import io.isle.api.base.SettingsSchema;
import io.isle.api.tenancy.GroupSpec;
import io.isle.core.accel.group.AccelGroupKeys;
import io.isle.core.drivers.nativecode.NativeDriver;
import io.isle.core.drivers.nativecode.NativeRuntime;
import io.isle.core.drivers.nativecode.host.Sandbox;
import io.isle.core.drivers.versions.DriverHeaders;
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
import java.util.function.Function;
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

  /** A key with its value, also one that is commented out. */
  private static final Pattern LINE = Pattern.compile("#?([a-z][a-z0-9_.-]*) *= *(.*?) *");

  private ShippedSettings() {}

  /** Settings of the services, by PID. */
  static Map<String, List<Setting>> services() {
    return schemas(SettingsSchema::pid);
  }

  /** Settings of kinds of apps of nets, by the kind. */
  static Map<String, List<Setting>> kinds() {
    return schemas(SettingsSchema::app);
  }

  /**
   * Settings of the drivers' devices, by the driver's name; native ones are asked in their host.
   */
  static Map<String, List<Setting>> drivers() {
    NativeRuntime runtime =
        new NativeRuntime(NATIVE.toAbsolutePath().normalize(), 50, Sandbox.DEFAULT)
            .with(Sandbox.Profile.OPENCL, Path.of("target", "reference"));
    Map<String, List<Setting>> all = schemas(SettingsSchema::driver);
    for (String entry : CompiledBundles.header(DriverHeaders.LIBRARY).values()) {
      Path library = NATIVE.resolve(Path.of(entry).getFileName()).toAbsolutePath().normalize();
      var info = NativeDriver.probe(runtime, library, line -> {}).info();
      all.put(info.name(), info.settings());
    }
    return all;
  }

  /** Keys of groups' files: the parent, then those of all areas. */
  static Set<String> groupKeys() {
    Set<String> keys = new LinkedHashSet<>(Set.of(GroupSpec.PARENT));
    AccelGroupKeys.KEYS.forEach(key -> keys.add(key.key()));
    return keys;
  }

  /** The lists that are marked in the compiled bundles, by what the mark names. */
  private static Map<String, List<Setting>> schemas(Function<SettingsSchema, String> name) {
    Map<String, List<Setting>> all = new TreeMap<>();
    for (JavaClass type : CompiledBundles.classes()) {
      for (JavaField field : type.getFields()) {
        field
            .tryGetAnnotationOfType(SettingsSchema.class)
            .map(name)
            .filter(named -> !named.isEmpty())
            .ifPresent(
                named -> {
                  if (all.put(named, value(field)) != null) {
                    throw new AssertionError(named + " has two lists of settings");
                  }
                });
      }
    }
    return all;
  }

  private static List<Setting> value(JavaField constant) {
    try {
      Field field = CompiledBundles.load(constant.getOwner()).getDeclaredField(constant.getName());
      field.setAccessible(true);
      return ((List<?>) field.get(null)).stream().map(Setting.class::cast).toList();
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(constant.getFullName() + " cannot be read", e);
    }
  }

  /** The values of a file by key, in its order, those that are commented out too. */
  static Map<String, String> values(Path file) throws IOException {
    Map<String, String> values = new LinkedHashMap<>();
    for (String line : Files.readAllLines(file)) {
      Matcher found = LINE.matcher(line);
      if (found.matches() && values.put(found.group(1), found.group(2)) != null) {
        throw new AssertionError(file + ": " + found.group(1) + " is given twice");
      }
    }
    return values;
  }
}
