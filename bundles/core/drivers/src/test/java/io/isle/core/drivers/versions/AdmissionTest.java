package io.isle.core.drivers.versions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.lib.signing.DriverSignature;
import io.isle.lib.signing.SigningKey;
import io.isle.lib.signing.TrustedKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which libraries are let in when drivers must be signed. */
class AdmissionTest {
  private static final String BUNDLE = "com.example.demo";
  private static final String KEY = Signing.KEY.publicKey().label();
  private static final String OTHER = "signature: key " + KEY + " signed a different driver: ";

  @TempDir Path directory;
  private Path keys;
  private Path library;

  @BeforeEach
  void aSignedLibraryAndATrustedKey() throws IOException {
    keys = directory.resolve("driver-keys");
    library = Files.writeString(directory.resolve("demo.so"), "a library");
    Signing.sign(library, BUNDLE, "1.0.0", Signing.KEY);
    Signing.trust(keys, "tests.pub", Signing.KEY);
  }

  private Admission.Candidate candidate(String bundle, String profile) {
    return new Admission.Candidate(
        bundle, "1.0.0", profile, library, GoodLibraries.signature(library));
  }

  private void admit(Instant now) {
    Signing.required(keys, now).admit(candidate(BUNDLE, "compute"));
  }

  private void refused(String why) {
    DriverException refused = assertThrows(DriverException.class, () -> admit(Signing.NOW));
    assertEquals(Errno.EACCES, refused.code());
    assertEquals("signature: " + why, refused.getMessage());
  }

  @Test
  void whatATrustedKeySignedIsLetIn() {
    admit(Signing.NOW);
  }

  @Test
  void whenNoneIsRequiredNoneIsLookedAt() throws IOException {
    Files.writeString(GoodLibraries.signature(library), "nonsense");
    Admission.OPEN.admit(candidate("any", "any"));
  }

  @Test
  void withoutASignatureItIsRefused() throws IOException {
    Files.delete(GoodLibraries.signature(library));
    refused(
        "the bundle has no signature (META-INF/isle/signature), which signatures = required in"
            + " io.isle.drivers.cfg demands; sign the bundle with isle-sign of the SDK");
  }

  @Test
  void anAlteredLibraryNameOrProfileIsRefused() throws IOException {
    Admission admission = Signing.required(keys, Signing.NOW);
    DriverException name =
        assertThrows(
            DriverException.class, () -> admission.admit(candidate("com.example.x", "compute")));
    assertEquals(
        OTHER + "the bundle's name is com.example.x, but com.example.demo was signed",
        name.getMessage());
    DriverException profile =
        assertThrows(DriverException.class, () -> admission.admit(candidate(BUNDLE, "gpu")));
    assertEquals(
        OTHER + "the sandbox profile is gpu, but compute was signed", profile.getMessage());
    String signed = Admission.sha256(library);
    Files.writeString(library, "another library");
    refused(
        "key "
            + KEY
            + " signed a different driver: the library's SHA-256 is "
            + Admission.sha256(library)
            + ", but "
            + signed
            + " was signed");
  }

  @Test
  void aKeyThatIsNotTrustedIsNamed() throws IOException {
    SigningKey stranger = SigningKey.generate(Signing.KEY.publicKey().info());
    Signing.sign(library, BUNDLE, "1.0.0", stranger);
    String id = stranger.publicKey().id().substring(0, 16);
    refused(unknown(id));
  }

  private String unknown(String id) {
    return "key "
        + id
        + ": the key is in no file of "
        + keys
        + "; copy the key's .pub file there to trust the key";
  }

  @Test
  void aKeyFileThatCannotBeReadIsNamed() throws IOException {
    Files.writeString(keys.resolve("tests.pub"), "isle-public-key: 1\n");
    String id = Signing.KEY.publicKey().id().substring(0, 16);
    refused(unknown(id) + "; tests.pub is not a key file: the field name is missing");
    Files.delete(keys.resolve("tests.pub"));
    Files.delete(keys);
    refused(unknown(id));
  }

  @Test
  void aKeyThatHasExpiredIsRefused() {
    DriverException expired =
        assertThrows(DriverException.class, () -> admit(Instant.parse("2027-01-01T00:00:00Z")));
    assertEquals(
        "signature: key " + KEY + " has expired: not-after is 2026-12-31", expired.getMessage());
    admit(Instant.parse("2026-12-31T23:59:59Z"));
  }

  /** A key is renewed by a new date; where the old file stays, it does not stand in the way. */
  @Test
  void ofTwoFilesWithAKeyTheOneThatCountsTodayDoes() throws IOException {
    String renewed = Signing.KEY.publicKey().text().replace("2026-12-31", "2027-12-31");
    Files.writeString(keys.resolve("z.pub"), renewed);
    admit(Instant.parse("2027-06-30T12:00:00Z"));
  }

  @Test
  void aFolderWithTooManyKeysIsRefusedAsAWhole() throws IOException {
    for (int i = 0; i < 256; i++) {
      Files.writeString(keys.resolve(i + ".pub"), "");
    }
    refused(keys + " has more than 256 files *.pub");
    assertTrue(new TrustedKeys(keys).fingerprint().contains("more than 256"));
  }

  @Test
  void aSignatureThatIsCutOffOrTooLongIsRefused() throws IOException {
    Path file = GoodLibraries.signature(library);
    byte[] good = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(good, 100));
    refused("the signature file is cut off: 100 bytes instead of the header's " + good.length);
    Files.write(file, new byte[1 << 20]);
    refused("the file has more than " + DriverSignature.MAX_BYTES + " bytes");
  }

  @Test
  void aKeyThatComesOrGoesIsNoticed() throws IOException {
    TrustedKeys trusted = new TrustedKeys(keys);
    String before = trusted.fingerprint();
    assertEquals(before, trusted.fingerprint());
    Files.delete(keys.resolve("tests.pub"));
    assertNotEquals(before, trusted.fingerprint());
    assertTrue(new TrustedKeys(keys.resolve("nowhere")).fingerprint().equals("{}"));
  }
}
