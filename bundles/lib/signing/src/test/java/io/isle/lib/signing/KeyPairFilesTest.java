package io.isle.lib.signing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyPairFilesTest {
  @TempDir Path folder;

  @Test
  void aWrittenKeyIsReadAgainAndSecret() throws IOException {
    KeyPairFiles files = KeyPairFiles.of(folder.resolve("my.name"));
    files.write(Keys.KEY);
    assertEquals(folder.resolve("my.name.key"), files.secret());
    assertEquals(
        "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(files.secret())));
    assertEquals(Keys.KEY.publicKey().text(), Files.readString(files.trusted()));
    assertEquals(
        Keys.KEY.publicKey().id(), KeyPairFiles.readSecret(files.secret()).publicKey().id());
  }

  @Test
  void anExistingFileIsKeptAndNoHalfIsLeft() throws IOException {
    KeyPairFiles files = KeyPairFiles.of(folder.resolve("k"));
    Files.writeString(files.secret(), "in use");
    assertThrows(FileAlreadyExistsException.class, () -> files.write(Keys.KEY));
    assertEquals("in use", Files.readString(files.secret()));
    assertFalse(Files.exists(files.trusted()));
  }

  @Test
  void aSecretThatOthersMayReadOrThatIsNoKeyIsRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("k.key"), "no key");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    IOException open = assertThrows(IOException.class, () -> KeyPairFiles.readSecret(file));
    assertEquals(file + " can be read by other users; run chmod 600 " + file, open.getMessage());
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    IOException bad = assertThrows(IOException.class, () -> KeyPairFiles.readSecret(file));
    assertEquals(
        file
            + " is not a key file: line 1 begins with none of the fields isle-private-key,"
            + " public-key, ed25519-private, ml-dsa-65-private, ml-dsa-87-private",
        bad.getMessage());
  }
}
