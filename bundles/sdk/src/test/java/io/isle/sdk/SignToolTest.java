package io.isle.sdk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SignToolTest {
  private static final Instant NOW = Instant.parse("2026-06-30T12:00:00Z");

  @TempDir Path folder;
  private Path jar;
  private String said;

  @BeforeEach
  void keysAndABundle() throws IOException {
    jar = bundle("demo.jar", "com.example.demo; singleton:=true", "1.0", "a library");
    run(0, NOW, "keys", folder.resolve("tests").toString(), "--days", "10");
  }

  private Path bundle(String file, String name, String version, String library) throws IOException {
    Manifest manifest = new Manifest();
    Attributes headers = manifest.getMainAttributes();
    headers.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    headers.putValue("Bundle-SymbolicName", name);
    headers.putValue("Bundle-Version", version);
    headers.putValue("Isle-Driver", "lib/libdemo.so");
    Path path = folder.resolve(file);
    try (OutputStream out = Files.newOutputStream(path);
        JarOutputStream to = new JarOutputStream(out, manifest)) {
      to.putNextEntry(new ZipEntry("lib/libdemo.so"));
      to.write(library.getBytes(StandardCharsets.UTF_8));
      to.closeEntry();
    }
    return path;
  }

  private Path handlers(String rules, String image) throws IOException {
    Manifest manifest = new Manifest();
    Attributes headers = manifest.getMainAttributes();
    headers.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    headers.putValue("Bundle-SymbolicName", "com.example.ping");
    headers.putValue("Bundle-Version", "1.0");
    headers.putValue("Isle-Handlers", "lib/a.spin; rules=\"" + rules + "\", lib/b.spin");
    Path path = folder.resolve("handlers.jar");
    try (OutputStream out = Files.newOutputStream(path);
        JarOutputStream to = new JarOutputStream(out, manifest)) {
      for (String name : List.of("lib/a.spin", "lib/b.spin")) {
        to.putNextEntry(new ZipEntry(name));
        to.write((name + image).getBytes(StandardCharsets.UTF_8));
        to.closeEntry();
      }
    }
    return path;
  }

  private void run(int code, Instant now, String... args) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    PrintStream to = new PrintStream(text, true, StandardCharsets.UTF_8);
    int ended = SignTool.run(List.of(args), to, to, Clock.fixed(now, ZoneOffset.UTC));
    said = text.toString(StandardCharsets.UTF_8);
    assertEquals(code, ended, said);
  }

  private void sign(int code, Instant now) {
    run(code, now, "sign", folder.resolve("tests.key").toString(), jar.toString());
  }

  private void verify(int code) {
    run(code, NOW, "verify", jar.toString(), folder.resolve("tests.pub").toString());
  }

  @Test
  void whatItSignsItVerifies() throws IOException {
    verify(1);
    assertTrue(said.contains("the jar has no signature"), said);
    sign(0, NOW);
    assertTrue(said.contains("com.example.demo 1.0.0, signed by key tests ("), said);
    verify(0);
    sign(0, NOW);
    verify(0);
    try (JarFile signed = new JarFile(jar.toFile())) {
      assertEquals(
          List.of("META-INF/MANIFEST.MF", "lib/libdemo.so", "META-INF/isle/signature"),
          signed.stream().map(ZipEntry::getName).toList());
      assertArrayEquals(
          "a library".getBytes(StandardCharsets.UTF_8),
          signed.getInputStream(signed.getEntry("lib/libdemo.so")).readAllBytes());
    }
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(3, left.count(), "nothing is left behind");
    }
  }

  @Test
  void handlersAreSignedWithWhatTheyAreFor() throws IOException {
    jar = handlers("AND {1, 2, 3, 4}", "x");
    sign(0, NOW);
    verify(0);
    byte[] signature;
    try (JarFile signed = new JarFile(jar.toFile())) {
      signature = signed.getInputStream(signed.getEntry("META-INF/isle/signature")).readAllBytes();
    }
    for (List<String> other : List.of(List.of("udp", "x"), List.of("AND {1, 2, 3, 4}", "y"))) {
      jar = handlers(other.get(0), other.get(1));
      new DriverJar(jar).sign(signature);
      verify(1);
      assertTrue(said.contains("SHA-256"), said);
    }
  }

  @Test
  void anAlteredBundleDoesNotVerify() throws IOException {
    sign(0, NOW);
    byte[] signature;
    try (JarFile signed = new JarFile(jar.toFile())) {
      signature = signed.getInputStream(signed.getEntry("META-INF/isle/signature")).readAllBytes();
    }
    jar = bundle("demo.jar", "com.example.demo", "1.0", "another library");
    new DriverJar(jar).sign(signature);
    verify(1);
    assertTrue(said.contains("the library's SHA-256 is"), said);
    jar = bundle("demo.jar", "com.example.demo", "1.1", "a library");
    new DriverJar(jar).sign(signature);
    verify(1);
    assertTrue(said.contains("version is 1.1.0, but 1.0.0 was signed"), said);
  }

  @Test
  void aKeyThatIsNotTrustedDoesNotVerify() {
    sign(0, NOW);
    run(0, NOW, "keys", folder.resolve("other").toString());
    run(1, NOW, "verify", jar.toString(), folder.resolve("other.pub").toString());
    assertTrue(said.contains(" which is not one of other ("), said);
    run(
        0,
        NOW,
        "verify",
        jar.toString(),
        folder.resolve("other.pub").toString(),
        folder.resolve("tests.pub").toString());
  }

  @Test
  void anExpiredKeySignsNothing() {
    sign(1, Instant.parse("2026-07-11T00:00:00Z"));
    assertTrue(said.contains("has expired: not-after is 2026-07-10"), said);
    verify(1);
  }

  @Test
  void aSecretIsReadableByItsOwnerAloneAndIsNeverOverwritten() throws IOException {
    Path secret = folder.resolve("tests.key");
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(secret)));
    byte[] before = Files.readAllBytes(secret);
    run(1, NOW, "keys", folder.resolve("tests").toString());
    assertTrue(said.contains("exists already"), said);
    assertArrayEquals(before, Files.readAllBytes(secret));
  }

  @Test
  void aSecretThatOthersCanReadSignsNothing() throws IOException {
    Path secret = folder.resolve("tests.key");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r-----"));
    sign(1, NOW);
    assertTrue(said.contains("can be read by other users; run chmod 600 " + secret), said);
    verify(1);
  }

  @Test
  void whatIsNoDriverIsNotSigned() throws IOException {
    Path text = Files.writeString(folder.resolve("text"), "text");
    Files.setPosixFilePermissions(text, PosixFilePermissions.fromString("rw-------"));
    run(1, NOW, "sign", text.toString(), jar.toString());
    assertTrue(said.contains("is not a key file: line 1 begins with none of the fields"), said);
    String key = folder.resolve("tests.key").toString();
    run(1, NOW, "sign", key, folder.resolve("missing.jar").toString());
    assertTrue(said.contains("does not exist"), said);
    run(1, NOW, "sign", key, text.toString());
    assertTrue(said.contains(text + " is not a jar"), said);
    try (OutputStream out = Files.newOutputStream(folder.resolve("plain.jar"));
        JarOutputStream to = new JarOutputStream(out, new Manifest())) {
      to.putNextEntry(new ZipEntry("x"));
      to.closeEntry();
    }
    run(1, NOW, "sign", key, folder.resolve("plain.jar").toString());
    assertTrue(said.contains("manifest lacks the header Isle-Driver"), said);
  }

  @Test
  void wrongArgumentsAreTwo() {
    for (List<String> args :
        List.of(
            List.<String>of(),
            List.of("make"),
            List.of("keys"),
            List.of("keys", "a", "--days", "0"),
            List.of("sign", "a"),
            List.of("verify", "a"))) {
      run(2, NOW, args.toArray(String[]::new));
      assertTrue(said.contains("usage: isle-sign"), said);
    }
  }
}
