package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Drivers that are built from the SDK's folder alone: they pass the suite, are dropped into a
 * platform that runs, work, are updated under a job, and removed.
 */
@ExtendWith(Platform.class)
class DriverSdkIT {
  private static final int PIECE = 8 * Blocks.BLOCK;

  @TempDir Path folder;

  @Test
  void whatIsWrittenIsComplete() throws IOException {
    Path sdk = Sdk.folder();
    String version = Files.readString(sdk.resolve("VERSION")).strip();
    for (String header : List.of("isle_kabi.h", "isle_tango.h", "isle_spin.h")) {
      assertEquals(
          -1,
          Files.mismatch(
              sdk.resolve("include", header),
              Platform.root().resolve("native-shims/include").resolve(header)));
    }
    for (String name :
        List.of(
            "isle-api-base",
            "isle-api-device",
            "isle-api-driver",
            "isle-lib-kabi",
            "isle-lib-shm",
            "isle-lib-agent")) {
      Path artifact = sdk.resolve("repository/io/isle").resolve(name).resolve(version);
      for (String suffix : List.of(".jar", "-sources.jar", "-javadoc.jar", ".pom")) {
        assertTrue(Files.size(artifact.resolve(name + "-" + version + suffix)) > 0, name + suffix);
      }
    }
    Path javadoc =
        sdk.resolve("repository/io/isle/isle-api-driver")
            .resolve(version)
            .resolve("isle-api-driver-" + version + "-javadoc.jar");
    try (JarFile jar = new JarFile(javadoc.toFile())) {
      assertTrue(jar.getEntry("io/isle/api/driver/AccelDevice.html") != null, "its Javadoc");
    }
    assertEquals(List.of(), Links.of(sdk).dead());
    try (Stream<Path> all = Files.list(sdk)) {
      assertEquals(
          List.of(
              "LICENSE",
              "README.md",
              "VERSION",
              "bin",
              "docs",
              "include",
              "lib",
              "repository",
              "templates"),
          all.map(path -> path.getFileName().toString()).sorted().toList());
    }
  }

  @Test
  void aFolderThatIsNotEmptyIsLeftAlone() throws IOException {
    Path kept = Files.writeString(folder.resolve("kept"), "mine");
    Platform.Result refused = Call.isle(Map.of(), List.of("sdk", folder.toString())).end();
    assertTrue(refused.failed(1).err().contains("is not empty"), refused.err());
    Platform.Result file = Call.isle(Map.of(), List.of("sdk", kept.toString())).end();
    assertTrue(file.failed(1).err().contains("is not a folder"), file.err());
    assertEquals("", refused.out() + file.out());
    assertEquals("mine", Files.readString(kept));
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(List.of(kept), left.toList());
    }
  }

  @Test
  void whereNoFolderCanBeNothingIsMade() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "mine");
    Platform.Result refused =
        Call.isle(Map.of(), List.of("sdk", file.resolve("a/b").toString())).end();
    assertTrue(refused.failed(1).err().contains(file + " is not a folder"), refused.err());
    Platform.Result full = Call.isle(Map.of(), List.of("sdk", "/proc/isle/sdk")).end();
    assertTrue(full.failed(1).err().contains("/proc"), full.err());
  }

  /** A tool that fails in the middle of it. */
  @Test
  void whatFailsHalfWayLeavesNothingBehind() throws IOException {
    Map<String, String> broken = Map.of("ISLE_JAVA_HOME", jdkThatFails().toString());
    Path made = folder.resolve("made/deeper/sdk");
    Path there = Files.createDirectories(folder.resolve("there"));
    for (Path sdk : List.of(made, there)) {
      Platform.Result failed = Call.isle(broken, List.of("sdk", sdk.toString())).end();
      assertTrue(failed.failed(1).err().contains("cannot be written to " + sdk), failed.err());
      assertEquals("", failed.out());
    }
    assertFalse(Files.exists(folder.resolve("made")));
    try (Stream<Path> left = Files.list(there)) {
      assertEquals(List.of(), left.toList());
    }
  }

  private Path jdkThatFails() throws IOException {
    Path real = Path.of(System.getProperty("java.home"));
    Path mine = folder.resolve("jdk");
    linkAll(real, mine);
    Files.delete(mine.resolve("bin"));
    linkAll(real.resolve("bin"), mine.resolve("bin"));
    Path java = mine.resolve("bin/java");
    Files.delete(java);
    Files.writeString(java, "#!/bin/sh\necho no Javadoc today >&2\nexit 1\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
    return mine;
  }

  private static void linkAll(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> entries = Files.list(from)) {
      for (Path entry : entries.toList()) {
        Files.createSymbolicLink(to.resolve(entry.getFileName()), entry);
      }
    }
  }

  @Test
  void linksOfItsPagesLeadSomewhere() throws IOException {
    Path docs = Sdk.folder().resolve("docs");
    for (String page : List.of("drivers.md", "kabi.md", "sandbox.md", "operations.md")) {
      Matcher link =
          Pattern.compile("\\]\\(([^)#:]+)[^)]*\\)").matcher(Files.readString(docs.resolve(page)));
      while (link.find()) {
        assertTrue(Files.exists(docs.resolve(link.group(1))), page + ": " + link.group(1));
      }
    }
  }

  @Test
  void handlersOfPacketsAreCompiledAsInTheTree() throws IOException {
    Platform.Result can = Sdk.tool("spin-cc", "--can");
    assumeTrue(can.code() == 0, can::err);
    Path source = Platform.root().resolve("native-shims/spin/handlers/udp_ping.c");
    Path made = folder.resolve("by the SDK.spin");
    Sdk.tool("spin-cc", "-o", made.toString(), source.toString()).saysNothing();
    Path same = folder.resolve("in the tree.spin");
    Path tool = Platform.root().resolve("native-shims/spin/spin-cc");
    Sdk.run(tool.toString(), "-o", same.toString(), source.toString()).saysNothing();
    assertEquals(-1, Files.mismatch(made, same));
  }

  @Test
  void theNativeTemplateIsADriver() throws Exception {
    Path mine = Sdk.copy("native", folder.resolve("my native driver"));
    Path first = Sdk.buildNative(mine, "1.0.0");
    passesTheSuite(first, "[tier 1]", "[tier 2]");
    livesAndGoes("demo", mine, first, Sdk.buildNative(mine, "1.0.1"));
  }

  @Test
  void theJavaTemplateIsADriver() throws Exception {
    Path mine = Sdk.copy("java", folder.resolve("my java driver"));
    Path first = Sdk.buildJava(mine, "1.0.0");
    passesTheSuite(first, "[tier 1 com.example.jdemo.DemoDriver]");
    for (String file : List.of("pom.xml", "src/main/java/com/example/jdemo/DemoDriver.java")) {
      String text = Files.readString(mine.resolve(file));
      Files.writeString(mine.resolve(file), text.replaceFirst("1\\.0\\.0", "1.0.1"));
    }
    livesAndGoes("jdemo", mine, first, Sdk.buildJava(mine, "1.0.1"));
  }

  private static void passesTheSuite(Path jar, String... subjects) {
    Platform.Result suite = Sdk.tool("isle-tck", jar.toString());
    assertEquals(0, suite.code(), () -> suite.out() + suite.err());
    for (String subject : subjects) {
      assertTrue(suite.out().contains(subject + " ok     completion/exactly-once"), suite::out);
    }
    assertTrue(suite.out().contains(" passed, 0 failed, "), suite::out);
  }

  private void livesAndGoes(String name, Path mine, Path first, Path second) throws Exception {
    String device = name + "0";
    Path deployed = Platform.folder().resolve("deploy").resolve(name + ".jar");
    try {
      deploy(first, deployed);
      Awaiting.await(device + " is there", () -> Devices.exists(device));
      Devices.awaitState(device, "active");
      assertEquals("1.0.0", version(name));
      updateUnderAJob(name, mine, () -> deploy(second, deployed));
      Devices.awaitState(device, "active");
    } finally {
      Files.deleteIfExists(deployed);
    }
    Awaiting.await(name + " is gone", () -> driver(name) == null);
    Awaiting.await(device + " is gone", () -> !Devices.exists(device));
    Platform.Result gone = run(mine, Path.of(Blocks.JOB));
    assertEquals(1, gone.code(), gone.out());
  }

  /** The job reads a FIFO, so it is in the middle for certain. */
  private void updateUnderAJob(String name, Path mine, Step update) throws Exception {
    byte[] bytes = Blocks.random(3 * PIECE + 11);
    Path output = folder.resolve("counts");
    Call call;
    try (Feed feed = Feed.create(folder.resolve("feed"))) {
      call =
          Platform.begin(
              "run",
              mine.resolve("job.yml").toString(),
              "--set",
              "input=" + feed.path(),
              "--set",
              "output=" + output,
              "--json");
      feed.give(Arrays.copyOf(bytes, PIECE + Blocks.BLOCK));
      update.take();
      Awaiting.await(name + " is updated", () -> version(name).equals("1.0.1"));
      feed.give(Arrays.copyOfRange(bytes, PIECE + Blocks.BLOCK, bytes.length));
    }
    JsonNode result = call.end().succeeded().json();
    assertEquals("done", result.get("state").asText(), result::toString);
    assertEquals(bytes.length, result.get("bytes").asLong());
    assertFalse(result.get("claims").isEmpty());
    assertEquals(256L * Long.BYTES, Files.size(output));
  }

  private interface Step {
    void take() throws Exception;
  }

  private static Platform.Result run(Path mine, Path input) {
    return Platform.isle("run", mine.resolve("job.yml").toString(), "--set", "input=" + input);
  }

  /** Written beside and renamed into the folder, as it says. */
  private static void deploy(Path jar, Path to) throws IOException {
    Path beside = Platform.folder().resolve("deployed.part");
    Files.copy(jar, beside, StandardCopyOption.REPLACE_EXISTING);
    Files.move(beside, to, StandardCopyOption.ATOMIC_MOVE);
  }

  private static String version(String name) throws IOException {
    JsonNode driver = driver(name);
    return driver == null ? "" : driver.get("version").asText();
  }

  private static JsonNode driver(String name) throws IOException {
    for (JsonNode driver : Platform.sh("driver:list", "--json").succeeded().json()) {
      if (driver.get("name").asText().equals(name)) {
        return driver;
      }
    }
    return null;
  }
}
