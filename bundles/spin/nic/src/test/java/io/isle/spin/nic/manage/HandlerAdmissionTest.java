package io.isle.spin.nic.manage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.SpinException;
import io.isle.lib.signing.DriverSignature;
import io.isle.lib.signing.HandlerStatements;
import io.isle.lib.signing.KeyInfo;
import io.isle.lib.signing.KeyPairFiles;
import io.isle.lib.signing.SigningKey;
import io.isle.lib.signing.TrustedKeys;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HandlerAdmissionTest {
  private static final LocalDate TODAY = LocalDate.of(2026, 5, 1);
  private static final String HEADER = "a.spin; name=a; rules=\"udp\"";

  @TempDir private Path folder;
  private final List<HandlerImage> images =
      List.of(new HandlerImage("a", new byte[] {1, 2, 3}, Optional.empty()));
  private byte[] signature;

  @BeforeEach
  void sign() throws Exception {
    SigningKey key = SigningKey.generate(new KeyInfo("me", TODAY, TODAY.plusDays(9)));
    Files.createDirectories(folder.resolve("keys"));
    KeyPairFiles.of(folder.resolve("keys/me")).write(key);
    signature =
        DriverSignature.sign(
            HandlerStatements.of("b", "1.0.0", HEADER, List.of(new byte[] {1, 2, 3})), key);
  }

  private HandlerAdmission admission(boolean required, String keys, LocalDate day) {
    return new HandlerAdmission(
        () -> required,
        new TrustedKeys(folder.resolve(keys)),
        Clock.fixed(day.atStartOfDay().toInstant(ZoneOffset.UTC), ZoneOffset.UTC));
  }

  private void admit(HandlerAdmission by, String version, String header) {
    by.admit(brought(version, header, Optional.of(signature)));
  }

  private BroughtHandlers brought(String version, String header, Optional<byte[]> signed) {
    return new BroughtHandlers(1, "b", version, header, images, signed);
  }

  private void refused(HandlerAdmission by, String version, String header, String words) {
    SpinException refusal = assertThrows(SpinException.class, () -> admit(by, version, header));
    assertEquals(Errno.EACCES, refusal.code());
    assertTrue(refusal.getMessage().startsWith("signature: "), refusal.getMessage());
    assertTrue(refusal.getMessage().contains(words), refusal.getMessage());
  }

  @Test
  void whatATrustedKeyHasSignedComesIn() {
    HandlerAdmission by = admission(true, "keys", TODAY);
    admit(by, "1.0.0", HEADER);
    refused(by, "1.0.1", HEADER, "version");
    refused(by, "1.0.0", HEADER.replace("udp", "match"), "SHA-256");
    refused(admission(true, "none", TODAY), "1.0.0", HEADER, "the key is in no file");
    refused(admission(true, "keys", TODAY.plusDays(10)), "1.0.0", HEADER, "key");
    signature[signature.length - 1] ^= 1;
    refused(by, "1.0.0", HEADER, "ML-DSA-65");
  }

  @Test
  void whereNoneIsRequiredNoneIsRead() {
    signature = new byte[1];
    admit(admission(false, "keys", TODAY), "1.0.0", HEADER);
    refused(admission(true, "keys", TODAY), "1.0.0", HEADER, "cut off");
    SpinException refusal =
        assertThrows(
            SpinException.class,
            () -> admission(true, "keys", TODAY).admit(brought("1.0.0", HEADER, Optional.empty())));
    assertTrue(refusal.getMessage().contains("the bundle has none"), refusal.getMessage());
  }

  @Test
  void whatItLooksAtHasAText() throws Exception {
    assertEquals("", admission(false, "keys", TODAY).rules());
    HandlerAdmission by = admission(true, "keys", TODAY);
    String before = by.rules();
    assertEquals(before, by.rules());
    assertNotEquals(before, admission(true, "keys", TODAY.plusDays(1)).rules());
    Files.delete(folder.resolve("keys/me.pub"));
    assertNotEquals(before, by.rules());
  }
}
