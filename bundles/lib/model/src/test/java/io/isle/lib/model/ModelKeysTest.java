package io.isle.lib.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.lib.signing.SigningException;
import io.isle.lib.signing.TrustedKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelKeysTest {
  @TempDir Path folder;

  private static final String ONE = Samples.KEY.publicKey().text();

  private static List<String> ids(ModelKeys keys) {
    return keys.keys().stream().map(TrustedKey::id).toList();
  }

  @Test
  void allKeysOfTheFolderAreRead() throws IOException {
    Files.writeString(folder.resolve("b.pub"), ONE);
    Files.writeString(folder.resolve("a.pub"), Samples.LARGE.publicKey().text());
    Files.writeString(folder.resolve("b.key"), "secret");
    ModelKeys keys = ModelKeys.read(folder);
    assertEquals(List.of(), keys.problems());
    assertEquals(List.of(Samples.LARGE.publicKey().id(), Samples.KEY.publicKey().id()), ids(keys));
  }

  @Test
  void aMissingFolderHasNoKeys() {
    assertEquals(new ModelKeys(List.of(), List.of()), ModelKeys.read(folder.resolve("none")));
  }

  @Test
  void aBadFileIsToldAndTheOthersCount() throws IOException {
    Files.writeString(folder.resolve("a.pub"), "name: a");
    Files.writeString(folder.resolve("b.pub"), ONE);
    ModelKeys keys = ModelKeys.read(folder);
    assertEquals(1, keys.keys().size());
    assertEquals(
        List.of("a.pub is not a key file: the field isle-public-key is missing"), keys.problems());
  }

  @Test
  void atMostEightFilesCount() throws IOException {
    for (int i = 0; i <= ModelKeys.MOST; i++) {
      Files.writeString(folder.resolve(i + ".pub"), ONE);
    }
    ModelKeys keys = ModelKeys.read(folder);
    assertEquals(ModelKeys.MOST, keys.keys().size());
    assertEquals(List.of("8.pub is not used: at most 8 files *.pub are read"), keys.problems());
  }

  @Test
  void aFolderWithVeryManyFilesHasNoKeys() throws IOException {
    for (int i = 0; i < 257; i++) {
      Files.writeString(folder.resolve(i + ".pub"), "");
    }
    assertEquals(
        new ModelKeys(List.of(), List.of(folder + " has more than 256 files *.pub")),
        ModelKeys.read(folder));
  }

  /** Whoever knows its eight multiples signs by it without a secret. */
  @Test
  void aKeyOfSmallOrderIsRefused() {
    byte[] weak = Samples.KEY.publicKey().ed25519().getEncoded();
    Arrays.fill(weak, weak.length - 32, weak.length, (byte) 0);
    String text =
        ONE.replaceFirst("ed25519: .*", "ed25519: " + Base64.getEncoder().encodeToString(weak));
    SigningException e =
        assertThrows(
            SigningException.class, () -> ModelKeys.parse(text.getBytes(StandardCharsets.UTF_8)));
    assertEquals(
        "ed25519: the value is not a canonical point of the base point's group", e.getMessage());
  }
}
