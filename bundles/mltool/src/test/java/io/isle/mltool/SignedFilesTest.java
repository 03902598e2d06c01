package io.isle.mltool;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.lib.model.ModelFile;
import io.isle.lib.model.ModelParameters;
import io.isle.lib.model.ModelType;
import io.isle.lib.model.TrainedFeature;
import io.isle.lib.model.TrainedOutput;
import io.isle.lib.model.form.LinearForm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From a key to a verified file. */
class SignedFilesTest {
  private static final byte[] MODEL =
      ModelFile.seal(
          ModelType.LINEAR,
          1,
          1,
          5000,
          new ModelParameters(
                  "sample",
                  77,
                  3,
                  Instant.EPOCH,
                  List.of(new TrainedFeature(0, 9, 4, 2)),
                  List.of(new TrainedOutput(0, 9)))
              .bytes(
                  new LinearForm(1, new int[1], new int[] {5}, new int[1], new short[] {3})
                      .bytes()));

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void writeModel() throws IOException {
    file = folder.resolve("m.islemodel");
    Files.write(file, MODEL);
  }

  private String at(String name) {
    return folder.resolve(name).toString();
  }

  private Run keygen(String name, String... more) {
    String[] args = new String[2 + more.length];
    args[0] = "keygen";
    args[1] = at(name);
    System.arraycopy(more, 0, args, 2, more.length);
    Run run = Run.of(args);
    assertEquals(0, run.code(), run.err());
    return run;
  }

  @Test
  void aModelIsSignedAndVerified() throws IOException {
    for (String size : List.of("65", "87")) {
      Run made = keygen("k" + size, "--ml-dsa", size);
      assertTrue(made.out().contains("of Ed25519+ML-DSA-" + size + ", to 2027-06-01"), made.out());
      Run signed = Run.of("sign", file.toString(), at("k" + size + ".key"));
      assertEquals(0, signed.code(), signed.err());
      assertTrue(signed.out().startsWith(file + ": linear for sample, serial 3, signed by key k"));
      Run held = Run.of("verify", file.toString(), at("k65.pub"), at("k" + size + ".pub"));
      assertEquals(0, held.code(), held.err());
      assertEquals(signed.out(), held.out());
    }
    assertFalse(Files.exists(Path.of(at("m.islemodel.new"))));
  }

  @Test
  void theSecretIsItsOwnersAlone() throws IOException {
    keygen("k");
    assertEquals(
        "rw-------",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(Path.of(at("k.key")))));
    Files.setPosixFilePermissions(
        Path.of(at("k.key")), PosixFilePermissions.fromString("rw-r--r--"));
    Run run = Run.of("sign", file.toString(), at("k.key"));
    assertEquals(1, run.code());
    assertEquals(
        "isle: %1$s can be read by other users; run chmod 600 %1$s%n".formatted(at("k.key")),
        run.err());
    assertArrayEquals(MODEL, Files.readAllBytes(file));
  }

  @Test
  void anExistingKeyIsNotReplaced() {
    keygen("k");
    Run run = Run.of("keygen", at("k"));
    assertEquals(1, run.code());
    assertTrue(run.err().endsWith("k.pub exists already\n"), run.err());
  }

  @Test
  void aFileThatFailsEndsInItsCode() throws IOException {
    keygen("k");
    keygen("other");
    Run unsigned = Run.of("verify", file.toString(), at("k.pub"));
    assertEquals(1, unsigned.code());
    assertTrue(unsigned.out().startsWith(file + ": UNSIGNED: ed25519_sig: "), unsigned.out());
    String copy = at("copy.islemodel");
    assertEquals(0, Run.of("sign", file.toString(), at("k.key"), "--out", copy).code());
    assertArrayEquals(MODEL, Files.readAllBytes(file));
    Run stranger = Run.of("verify", copy, at("other.pub"), "--json");
    assertEquals(1, stranger.code());
    assertTrue(
        stranger.out().contains("\"valid\":false,\"fault\":\"NO_TRUSTED_KEY\""), stranger.out());
    Run later = Run.with("", Instant.parse("2027-06-02T00:00:00Z"), "verify", copy, at("k.pub"));
    assertTrue(later.out().contains("KEY_NOT_VALID"), later.out());
    byte[] bytes = Files.readAllBytes(Path.of(copy));
    bytes[bytes.length - 1] ^= 1;
    Files.write(file, bytes);
    assertTrue(Run.of("verify", file.toString(), at("k.pub")).out().contains(": BAD_HASH: "));
    Run again = Run.of("sign", file.toString(), at("k.key"));
    assertEquals(1, again.code());
    assertTrue(again.err().startsWith("isle: BAD_HASH: "), again.err());
  }

  @Test
  void aVerifiedFileAsJson() {
    keygen("k", "--days", "1");
    Run signed = Run.of("sign", file.toString(), at("k.key"), "--json");
    assertEquals(0, signed.code(), signed.err());
    Run run = Run.of("--json", "verify", file.toString(), at("k.pub"));
    assertEquals(0, run.code(), run.err());
    assertTrue(
        run.out()
            .startsWith(
                "{\"file\":\"%s\",\"valid\":true,\"type\":\"linear\",\"decision\":\"sample\",\"serial\":3,"
                    .formatted(file)),
        run.out());
  }

  @Test
  void anExpiredKeySignsNothing() {
    keygen("k", "--days", "1");
    Run run =
        Run.with("", Instant.parse("2026-06-03T00:00:00Z"), "sign", file.toString(), at("k.key"));
    assertEquals(1, run.code());
    assertTrue(run.err().contains("has expired"), run.err());
  }

  @Test
  void missingFilesFail() {
    Run key = Run.of("verify", file.toString(), at("none.pub"));
    assertEquals(1, key.code());
    assertEquals("isle: %s does not exist%n".formatted(at("none.pub")), key.err());
    assertEquals(1, Run.of("sign", at("none"), at("none.key")).code());
    Run wrong = Run.of("verify", file.toString(), file.toString());
    assertEquals(1, wrong.code());
    assertTrue(wrong.err().contains(" is not a key file: "), wrong.err());
  }

  @Test
  void wrongArgumentsAreTold() {
    wrong("a verb is missing; there are ");
    wrong("unknown verb 'frob'; there are ", "frob");
    wrong("unknown option --fast", "keygen", "--fast");
    wrong("option --days needs a value", "keygen", "--days");
    wrong("option --days is given twice", "keygen", "--days", "1", "--days", "1");
    wrong("--days: '0' is not a number from 1 to 36500", "keygen", "--days", "0");
    wrong("--ml-dsa: '44' is not 65 or 87", "keygen", "--ml-dsa", "44");
    wrong("keygen takes one name", "keygen", "a", "b");
    wrong("keygen: '/' is not a file name", "keygen", "/");
    wrong("sign takes a model file and a key file", "sign", "a");
    wrong("verify takes a model file and the public keys to trust", "verify", "a");
    wrong("'\0' is no name of a file", "keygen", "\0");
  }

  private static void wrong(String message, String... args) {
    Run run = Run.of(args);
    assertEquals(2, run.code());
    assertTrue(run.err().startsWith("isle: " + message), run.err());
    assertEquals("", run.out());
  }
}
