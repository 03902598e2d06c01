package io.isle.lib.signing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * The two files of a key: the secret one, which only its owner may read, and the one to be trusted.
 *
 * @param secret NAME.key
 * @param trusted NAME.pub
 */
public record KeyPairFiles(Path secret, Path trusted) {
  private static final int MAX_BYTES = 64 << 10;
  private static final Set<PosixFilePermission> OWNER =
      PosixFilePermissions.fromString("rwx------");

  /**
   * Those of a key.
   *
   * @param name path of both without their suffixes, with a file name
   */
  public static KeyPairFiles of(Path name) {
    String file = name.getFileName().toString();
    return new KeyPairFiles(name.resolveSibling(file + ".key"), name.resolveSibling(file + ".pub"));
  }

  /**
   * Writes new files: existing ones may be a key that is in use.
   *
   * @throws IOException one exists or cannot be written; then neither is left
   */
  public void write(SigningKey key) throws IOException {
    write(trusted, "rw-r--r--", key.publicKey().text());
    try {
      write(secret, "rw-------", key.text());
    } catch (IOException e) {
      Files.deleteIfExists(trusted);
      throw e;
    }
  }

  private static void write(Path file, String rights, String text) throws IOException {
    try (OutputStream to =
        Channels.newOutputStream(
            Files.newByteChannel(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(rights))))) {
      to.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  /**
   * Reads a secret key.
   *
   * @throws IOException it cannot be read, is no key, or other users may read it
   */
  public static SigningKey readSecret(Path file) throws IOException {
    if (!OWNER.containsAll(Files.getPosixFilePermissions(file))) {
      throw new IOException(file + " can be read by other users; run chmod 600 " + file);
    }
    try (InputStream in = Files.newInputStream(file)) {
      return SigningKey.parse(in.readNBytes(MAX_BYTES));
    } catch (SigningException e) {
      throw new IOException(file + " is not a key file: " + e.getMessage(), e);
    }
  }
}
