package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.isle.api.base.Setting;
import io.isle.api.tenancy.GroupKey;
import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.GroupTree;
import io.isle.core.accel.group.AccelGroupKeys;
import io.isle.core.accel.group.AccelGroups;
import io.isle.core.accel.group.Admission;
import io.isle.core.accel.group.ReservedShares;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The files of config/ have the keys that the code reads, with their defaults, each explained. */
class ConfigTest {
  private static final String DEVICE = "io.isle.device-";
  private static final Set<String> ROLES = Set.of("viewer", "manager", "admin");

  private static Path file(String pid) {
    return ShippedSettings.FOLDER.resolve(pid + ".cfg");
  }

  private static void same(Path file, List<Setting> settings, List<String> others)
      throws IOException {
    Map<String, String> values = ShippedSettings.values(file);
    Set<String> keys = settings.stream().map(Setting::key).collect(Collectors.toSet());
    keys.addAll(others);
    assertEquals(new TreeSet<>(keys), new TreeSet<>(values.keySet()), file + ": keys");
    for (Setting setting : settings) {
      String shipped = values.get(setting.key());
      assertEquals("", setting.refusal(shipped).orElse(""), file.toString());
      assertEquals(
          setting.normalise(setting.defaultValue()),
          setting.normalise(shipped),
          () -> file + ": " + setting.key() + " is not shipped with its default");
    }
  }

  @TestFactory
  Stream<DynamicTest> filesOfServicesHaveTheKeysThatTheyRead() {
    return ShippedSettings.services().entrySet().stream()
        .filter(pid -> !isOfInstances(pid.getKey()))
        .map(
            pid ->
                dynamicTest(
                    pid.getKey(), () -> same(file(pid.getKey()), pid.getValue(), List.of())));
  }

  @Test
  void filesOfDevicesHaveTheKeysOfTheirDrivers() throws IOException {
    Map<String, List<Setting>> drivers = ShippedSettings.drivers();
    List<Path> devices = files(DEVICE);
    assertFalse(devices.isEmpty());
    for (Path file : devices) {
      String driver =
          file.getFileName().toString().substring(DEVICE.length()).replaceAll("[0-9]+\\.cfg$", "");
      same(file, drivers.get(driver), ShippedSettings.OF_ALL_DEVICES);
    }
  }

  /** A sample of a device is not in force, but has all keys of the driver with their defaults. */
  @Test
  void samplesOfDevicesHaveTheKeysOfTheirDrivers() throws IOException {
    List<Path> samples = files(DEVICE, ".cfg.sample");
    assertFalse(samples.isEmpty());
    Map<String, List<Setting>> drivers = ShippedSettings.drivers();
    for (Path file : samples) {
      String driver =
          file.getFileName()
              .toString()
              .substring(DEVICE.length())
              .replaceAll("[0-9]+\\.cfg\\.sample$", "");
      same(file, drivers.get(driver), ShippedSettings.OF_ALL_DEVICES);
      assertTrue(
          Files.readAllLines(file).stream()
              .allMatch(line -> line.isEmpty() || line.startsWith("#")),
          file + " would be in force");
    }
  }

  /**
   * A service that reads settings has a file and a marked list of them, and a file of ours has a
   * service that reads it.
   */
  @Test
  void everyPidHasAFileAndEveryFileAPid() throws IOException {
    Set<String> shipped =
        files("io.isle.").stream()
            .map(file -> file.getFileName().toString().replaceAll("\\.cfg$", ""))
            .filter(pid -> !pid.startsWith(DEVICE))
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> read = new TreeSet<>();
    for (Path components : components()) {
      for (String part : Files.readString(components).split("configuration-pid=\"")) {
        if (part.startsWith("io.isle.")) {
          read.add(part.substring(0, part.indexOf('"')));
        }
      }
    }
    assertEquals(shipped, read, "PIDs of components");
    Set<String> described = new TreeSet<>(ShippedSettings.services().keySet());
    described.removeIf(ConfigTest::isOfInstances);
    assertEquals(shipped, described, "PIDs in the reference");
  }

  /** Whether each instance has a file of its own, so that only a sample is shipped. */
  private static boolean isOfInstances(String pid) {
    return pid.endsWith("-NAME");
  }

  /** A sample is not in force, but has all keys with values that would be good. */
  @TestFactory
  Stream<DynamicTest> samplesOfInstancesHaveTheKeysThatAreRead() {
    return ShippedSettings.services().entrySet().stream()
        .filter(pid -> isOfInstances(pid.getKey()))
        .map(pid -> dynamicTest(pid.getKey(), () -> sample(pid.getKey(), pid.getValue())));
  }

  private static void sample(String pid, List<Setting> settings) throws IOException {
    Path file = ShippedSettings.FOLDER.resolve(pid + ".cfg.sample");
    Map<String, String> values = ShippedSettings.values(file);
    assertEquals(
        settings.stream().map(Setting::key).toList(), List.copyOf(values.keySet()), "keys");
    String text = Files.readString(file);
    for (Setting setting : settings) {
      String value = values.get(setting.key());
      assertEquals("", setting.refusal(value).orElse(""), file.toString());
      assertTrue(text.contains("\n#" + setting.key() + " ="), setting.key() + " would be in force");
    }
  }

  /** The sample is not in force, but would be good. */
  @Test
  void theSampleOfAGroupHasTheKeysOfGroups() throws IOException {
    Map<String, String> values = ShippedSettings.values(ShippedSettings.GROUP);
    assertEquals(ShippedSettings.groupKeys(), values.keySet());
    GroupSpec sample = GroupSpec.of("team-a", values);
    AccelGroups groups = AccelGroups.of(GroupTree.EMPTY.with(sample));
    Admission.check(AccelGroups.EMPTY, groups, ReservedShares.NONE);
    for (GroupKey key : AccelGroupKeys.KEYS) {
      String text = Files.readString(ShippedSettings.GROUP);
      assertTrue(text.contains("\n#" + key.key() + " = "), key + " would be in force in a copy");
    }
  }

  private static List<Path> components() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("..", "bundles"))) {
      return files
          .filter(file -> file.toString().contains("/target/classes/OSGI-INF/"))
          .filter(file -> file.toString().endsWith(".xml"))
          .toList();
    }
  }

  private static List<Path> files(String prefix) throws IOException {
    return files(prefix, ".cfg");
  }

  private static List<Path> files(String prefix, String end) throws IOException {
    try (Stream<Path> files = Files.list(ShippedSettings.FOLDER)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(prefix))
          .filter(file -> file.toString().endsWith(end))
          .sorted()
          .toList();
    }
  }

  /** Also of Karaf's commands; what is no role would let nobody in. */
  @Test
  void everyAccessListNamesRolesThatThereAre() throws IOException {
    List<Path> lists = files("org.apache.karaf.command.acl.");
    assertTrue(lists.size() > CommandsPage.all().size(), lists::toString);
    for (Path list : lists) {
      for (String line : Files.readAllLines(list)) {
        if (!line.isBlank() && !line.startsWith("#")) {
          String role = line.substring(line.lastIndexOf('=') + 1).strip();
          assertTrue(ROLES.contains(role), () -> list + ": " + line);
        }
      }
    }
  }

  /** A key of ours without a comment above it, its own or that of its group, explains nothing. */
  @Test
  void everyKeyIsExplained() throws IOException {
    List<Path> all = new ArrayList<>(files("io.isle."));
    all.add(ShippedSettings.GROUP);
    all.addAll(files(DEVICE, ".cfg.sample"));
    for (Path file : all) {
      boolean explained = false;
      for (String line : Files.readAllLines(file)) {
        if (line.isBlank()) {
          explained = false;
        } else if (line.startsWith("# ")) {
          explained = true;
        } else {
          assertTrue(explained, file + ": " + line);
        }
      }
    }
  }
}
