package io.isle.sdk;

import io.isle.api.base.Errno;
import io.isle.lib.signing.DriverSignature;
import io.isle.lib.signing.DriverStatement;
import io.isle.lib.signing.HandlerStatements;
import io.isle.lib.signing.SigningException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipOutputStream;
import org.osgi.framework.Version;

/** A bundle that brings a native driver or handlers, as a file. */
record DriverJar(Path file) {
  private static final String HEADER = "Isle-Driver";
  private static final String PROFILE = "Isle-Driver-Profile";
  private static final String DEFAULT_PROFILE = "compute";

  /**
   * What there is to sign.
   *
   * @throws SigningException EINVAL naming what the bundle lacks
   */
  DriverStatement statement() throws IOException {
    try (JarFile jar = open()) {
      if (jar.getManifest() == null) {
        throw bad("the jar has no manifest");
      }
      Attributes headers = jar.getManifest().getMainAttributes();
      if (headers.getValue(HandlerStatements.HEADER) != null && headers.getValue(HEADER) == null) {
        return handlers(jar, headers);
      }
      String library = header(headers, HEADER);
      ZipEntry entry = jar.getEntry(library);
      if (entry == null || entry.isDirectory()) {
        throw bad(HEADER + ": the jar has no entry " + library);
      }
      return new DriverStatement(
          name(headers),
          bundleVersion(headers),
          Optional.ofNullable(headers.getValue(PROFILE)).map(String::strip).orElse(DEFAULT_PROFILE),
          sha256(jar.getInputStream(entry)));
    }
  }

  private DriverStatement handlers(JarFile jar, Attributes headers) throws IOException {
    String header = header(headers, HandlerStatements.HEADER);
    List<byte[]> images = new ArrayList<>();
    for (String name : HandlerStatements.entries(header)) {
      ZipEntry entry = jar.getEntry(name);
      if (entry == null || entry.isDirectory()) {
        throw bad(HandlerStatements.HEADER + ": the jar has no entry " + name);
      }
      try (InputStream in = jar.getInputStream(entry)) {
        images.add(in.readAllBytes());
      }
    }
    return HandlerStatements.of(name(headers), bundleVersion(headers), header, images);
  }

  private String name(Attributes headers) {
    return header(headers, "Bundle-SymbolicName").replaceAll(";.*", "").strip();
  }

  private String bundleVersion(Attributes headers) {
    return version(header(headers, "Bundle-Version"));
  }

  private JarFile open() throws IOException {
    try {
      return new JarFile(file.toFile(), false);
    } catch (ZipException e) {
      throw new IOException(file + " is not a jar: " + e.getMessage(), e);
    }
  }

  private String header(Attributes headers, String name) {
    String value = headers.getValue(name);
    if (value == null || value.isBlank()) {
      throw bad(
          "the jar's manifest lacks the header "
              + name
              + ", which the bundle of a native"
              + " driver needs");
    }
    return value.strip();
  }

  private String version(String text) {
    try {
      return Version.parseVersion(text).toString();
    } catch (IllegalArgumentException e) {
      throw new SigningException(Errno.EINVAL, file + ": Bundle-Version: " + e.getMessage(), e);
    }
  }

  private static String sha256(InputStream library) throws IOException {
    try (InputStream in = library) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      new DigestInputStream(in, digest).transferTo(OutputStream.nullOutputStream());
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /**
   * The signature in it.
   *
   * @throws SigningException EINVAL when there is none or it is malformed
   */
  DriverSignature signature() throws IOException {
    try (JarFile jar = open()) {
      ZipEntry entry = jar.getEntry(DriverSignature.ENTRY);
      if (entry == null) {
        throw bad("the jar has no signature (" + DriverSignature.ENTRY + ")");
      }
      try (InputStream in = jar.getInputStream(entry)) {
        return DriverSignature.parse(in.readNBytes(DriverSignature.MAX_BYTES + 1));
      }
    }
  }

  /** Puts a signature into it, in the place of the one before; all or nothing. */
  void sign(byte[] signature) throws IOException {
    Path target = file.toAbsolutePath();
    Path part = Files.createTempFile(target.getParent(), "signed-", ".part");
    try {
      try (JarFile jar = open();
          ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(part))) {
        copy(jar, out);
        out.putNextEntry(new ZipEntry(DriverSignature.ENTRY));
        out.write(signature);
        out.closeEntry();
      }
      Files.setPosixFilePermissions(part, Files.getPosixFilePermissions(target));
      Files.move(part, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private static void copy(JarFile jar, ZipOutputStream out) throws IOException {
    Enumeration<? extends ZipEntry> entries = jar.entries();
    while (entries.hasMoreElements()) {
      ZipEntry entry = entries.nextElement();
      if (entry.getName().equals(DriverSignature.ENTRY)) {
        continue;
      }
      ZipEntry copy = new ZipEntry(entry.getName());
      copy.setTime(entry.getTime());
      out.putNextEntry(copy);
      try (InputStream in = jar.getInputStream(entry)) {
        in.transferTo(out);
      }
      out.closeEntry();
    }
  }

  private SigningException bad(String why) {
    return new SigningException(Errno.EINVAL, file + ": " + why);
  }
}
