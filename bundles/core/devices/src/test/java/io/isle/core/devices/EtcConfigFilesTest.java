package io.isle.core.devices;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Dictionary;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.osgi.service.cm.Configuration;

class EtcConfigFilesTest {
  private static final String PID = "io.isle.device-soft0";

  @TempDir Path temp;
  private Path etc;
  private FakeConfigAdmin admin;
  private EtcConfigFiles files;

  @BeforeEach
  void make() throws IOException {
    etc = Files.createDirectory(temp.resolve("a folder with blanks"));
    admin = new FakeConfigAdmin();
    files = new EtcConfigFiles(etc, admin);
  }

  @Test
  void aNewFileHasItsConfiguration() throws IOException {
    files.set(PID, Map.of("driver", "soft", "text", "a = b # c \\ ü € \uD83D\uDE80 : !"));
    Configuration made = admin.all.get("io.isle.device~soft0");
    Dictionary<String, Object> properties = made.getProperties();
    assertEquals("soft", properties.get("driver"));
    assertEquals(
        etc.resolve(PID + ".cfg").toFile().toURI().toString(),
        properties.get("felix.fileinstall.filename"));
    assertEquals(properties.get("text"), files.read(PID).orElseThrow().get("text"));
    assertEquals("a = b # c \\ ü € \uD83D\uDE80 : !", properties.get("text"));
    assertEquals(List.of(PID + ".cfg"), names());
  }

  @Test
  void aConfigurationThatSomebodyDeletesMeanwhileIsMadeAgain() throws IOException {
    files.set(PID, Map.of("driver", "soft"));
    admin.deletedBeforeUpdate = 2;
    files.set(PID, Map.of("driver", "sim"));
    assertEquals("sim", admin.all.get("io.isle.device~soft0").getProperties().get("driver"));

    admin.deletedBeforeUpdate = 3;
    assertThrows(IllegalStateException.class, () -> files.set(PID, Map.of("driver", "other")));
    assertEquals("sim", files.read(PID).orElseThrow().get("driver"));
  }

  @Test
  void instancesAreNamedAfterTheirFiles() throws IOException {
    files.set("io.isle.group-team-a", Map.of("parent", "default", "devices", ""));
    files.set(PID, Map.of("driver", "soft"));
    admin
        .getFactoryConfiguration("io.isle.group", "made-by-hand", "?")
        .update(new Hashtable<>(Map.of("compute.weight", " 7 ")));
    assertEquals(
        Map.of(
            "team-a", Map.of("parent", "default", "devices", ""),
            "made-by-hand", Map.of("compute.weight", "7")),
        files.instances("io.isle.group"));
    assertEquals("", files.read("io.isle.group-team-a").orElseThrow().get("devices"));
  }

  @Test
  void commentsAndOrderStay() throws IOException {
    Path path = etc.resolve(PID + ".cfg");
    Files.writeString(
        path, "# Höhe\ndriver = soft\n\n# how much\nmemory_bytes = 1m\nclass = npu\n");
    Map<String, String> changes = new HashMap<>();
    changes.put("memory_bytes", "2m");
    changes.put("class", null);
    changes.put("tier", "1");
    files.set(PID, changes);
    List<String> lines = Files.readAllLines(path);
    assertEquals("# Höhe", lines.get(0));
    assertTrue(lines.indexOf("# how much") > lines.indexOf("driver = soft"), lines.toString());
    assertTrue(lines.stream().noneMatch(line -> line.startsWith("class")), lines.toString());
    assertEquals(
        Map.of("driver", "soft", "memory_bytes", "2m", "tier", "1"), files.read(PID).orElseThrow());
  }

  @Test
  void theConfigurationThatFileInstallMadeIsUsed() throws IOException {
    Path path = etc.resolve(PID + ".cfg");
    Files.writeString(path, "driver=soft\n");
    Configuration made = admin.getFactoryConfiguration("io.isle.device", "other-name");
    made.update(
        new java.util.Hashtable<>(
            Map.of(
                "driver", "soft", "felix.fileinstall.filename", path.toFile().toURI().toString())));
    files.set(PID, Map.of("tier", "1"));
    assertEquals(1, admin.all.size());
    assertEquals("1", made.getProperties().get("tier"));
  }

  @Test
  void deletionTakesFileAndConfiguration() {
    files.set(PID, Map.of("driver", "soft"));
    assertEquals(true, files.delete(PID));
    assertEquals(Optional.empty(), files.read(PID));
    assertTrue(admin.all.isEmpty());
    assertEquals(false, files.delete(PID));
  }

  /** FileInstall deletes the configuration of a file that is gone, on a thread of its own. */
  @Test
  void aConfigurationThatIsDeletedMeanwhileIsNoFailure() {
    files.set(PID, Map.of("driver", "soft"));
    files.set("io.isle.device-other", Map.of("driver", "soft"));
    admin.raced.add("io.isle.device~other");
    assertEquals(Set.of("soft0"), files.instances("io.isle.device").keySet());
    files.set(PID, Map.of("driver", "sim"));
    admin.deletedFirst = true;
    assertEquals(true, files.delete(PID));
    assertEquals(Optional.empty(), files.read(PID));
    assertEquals(Set.of(), files.instances("io.isle.device").keySet());
  }

  @Test
  void namesThatAreNoFilesAreRefused() {
    for (String pid : List.of("", "../x", "a/b", ".x", "a b", "x\u0000")) {
      assertThrows(IllegalArgumentException.class, () -> files.read(pid), pid);
    }
    assertThrows(IllegalArgumentException.class, () -> files.set(PID, Map.of("a b", "1")));
    assertThrows(IllegalArgumentException.class, () -> files.set(PID, Map.of("a", "1\n2")));
    assertThrows(IllegalArgumentException.class, () -> files.set(PID, Map.of("a", "${env:HOME}")));
  }

  @Test
  void aFolderThatCannotBeWrittenLeavesAllAsItWas() throws IOException {
    Files.delete(etc);
    assertThrows(UncheckedIOException.class, () -> files.set(PID, Map.of("driver", "soft")));
    assertTrue(admin.all.isEmpty());
  }

  private static List<Exception> failures() {
    return List.of(new IOException("disk full"), new IllegalStateException("deleted"));
  }

  /** FileInstall would apply a file that stays, although the change was refused. */
  @ParameterizedTest
  @MethodSource("failures")
  void settingsThatAreNotTakenLeaveTheFileAsItWas(Exception failure) throws IOException {
    Path path = etc.resolve(PID + ".cfg");
    String before = "# by hand\ndriver  =  soft\n";
    Files.writeString(path, before);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r-----"));
    admin.failure = failure;
    Exception told =
        assertThrows(failing(failure), () -> files.set(PID, Map.of("memory_bytes", "1m")));
    assertEquals(failure, told instanceof UncheckedIOException e ? e.getCause() : told);
    assertEquals(before, Files.readString(path));
    assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
    assertEquals(List.of(PID + ".cfg"), names());
    assertTrue(admin.all.values().stream().allMatch(made -> made.getProperties() == null));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void aNewFileWhoseSettingsAreNotTakenGoes(Exception failure) throws IOException {
    admin.failure = failure;
    assertThrows(failing(failure), () -> files.set(PID, Map.of("driver", "soft")));
    assertEquals(List.of(), names());
    assertEquals(Optional.empty(), files.read(PID));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void aDeletionThatIsNotTakenLeavesTheFileAsItWas(Exception failure) throws IOException {
    files.set(PID, Map.of("driver", "soft"));
    String before = Files.readString(etc.resolve(PID + ".cfg"));
    admin.failure = failure;
    assertThrows(failing(failure), () -> files.delete(PID));
    assertEquals(before, Files.readString(etc.resolve(PID + ".cfg")));
    admin.failure = null;
    assertTrue(files.delete(PID));
    assertEquals(List.of(), names());
  }

  private static Class<? extends Exception> failing(Exception failure) {
    return failure instanceof IOException ? UncheckedIOException.class : failure.getClass();
  }

  private List<String> names() throws IOException {
    try (Stream<Path> found = Files.list(etc)) {
      return found.map(path -> path.getFileName().toString()).toList();
    }
  }
}
