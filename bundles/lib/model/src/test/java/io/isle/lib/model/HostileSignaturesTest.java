package io.isle.lib.model;

import static io.isle.lib.model.Refusals.raw;
import static io.isle.lib.model.Refusals.refused;
import static io.isle.lib.model.Samples.KEY;
import static io.isle.lib.model.Samples.LARGE;
import static io.isle.lib.model.Samples.OTHER;
import static io.isle.lib.model.Samples.PARAMETERS;
import static io.isle.lib.model.Samples.SIGNED;
import static io.isle.lib.model.Samples.SPEC;
import static io.isle.lib.model.Samples.UNSIGNED;
import static io.isle.lib.model.Samples.settings;
import static io.isle.lib.model.Samples.signed;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Signatures that are missing, cut, exchanged or by the wrong keys end in their codes. */
class HostileSignaturesTest {
  @Test
  void signaturesThatAreMissingOrOfTheWrongLength() {
    refused(ModelFault.UNSIGNED, "ed25519_sig", UNSIGNED);
    for (int length : new int[] {0, 1, 3308, 3310, 4628, 0xFFFF}) {
      raw(
          ModelFault.BAD_SIGNATURE_LENGTH,
          "mldsa_sig_len",
          file -> file.putShort(132, (short) length));
    }
    byte[] half = SIGNED.clone();
    Arrays.fill(half, 68, 132, (byte) 0);
    refused(ModelFault.BAD_ED25519, half, settings(KEY).unsignedToo());
    raw(
        ModelFault.BAD_RESERVED,
        "the unused part of mldsa_sig",
        file -> file.put(134 + 3309, (byte) 1));
    raw(ModelFault.BAD_RESERVED, "the unused part of mldsa_sig", file -> file.put(4760, (byte) 1));
  }

  /** The length of the file's signature says nothing about the algorithm of the key. */
  @Test
  void aLengthOfAnotherAlgorithm() {
    raw(ModelFault.BAD_ML_DSA, "mldsa_sig", file -> file.putShort(132, (short) 4627));
    byte[] large = signed(UNSIGNED, LARGE);
    System.arraycopy(SIGNED, 68, large, 68, 64);
    refused(ModelFault.SIGNERS_DIFFER, large, settings(KEY, LARGE));
    refused(ModelFault.BAD_ML_DSA, large, settings(KEY));
  }

  @Test
  void anUnknownKey() {
    refused(ModelFault.NO_TRUSTED_KEY, SIGNED, settings(OTHER, LARGE));
    refused(ModelFault.NO_TRUSTED_KEY, SIGNED, settings());
    refused(ModelFault.NO_TRUSTED_KEY, SIGNED, settings().unsignedToo());
  }

  @Test
  void swappedSigners() {
    byte[] mixed = signed(UNSIGNED, OTHER);
    System.arraycopy(SIGNED, 68, mixed, 68, 64);
    ModelException e = refused(ModelFault.SIGNERS_DIFFER, mixed, settings(KEY, OTHER));
    assertTrue(e.getMessage().contains(KEY.publicKey().label()), e.getMessage());
    assertTrue(e.getMessage().contains(OTHER.publicKey().label()), e.getMessage());
    refused(ModelFault.BAD_ML_DSA, mixed, settings(KEY));
    refused(ModelFault.BAD_ED25519, mixed, settings(OTHER));
  }

  @Test
  void signaturesOfAnotherFile() {
    byte[] other =
        signed(
            Samples.file(
                new ModelParameters(
                    PARAMETERS.decision(),
                    PARAMETERS.schema(),
                    PARAMETERS.serial() + 1,
                    PARAMETERS.trainedAt(),
                    PARAMETERS.features(),
                    PARAMETERS.outputs())),
            KEY);
    byte[] swapped = SIGNED.clone();
    System.arraycopy(other, 68, swapped, 68, 4761 - 68);
    refused(ModelFault.NO_TRUSTED_KEY, swapped, settings(KEY));
    byte[] half = SIGNED.clone();
    System.arraycopy(other, 68, half, 68, 64);
    refused(ModelFault.BAD_ED25519, half, settings(KEY));
  }

  @Test
  void aKeyOutsideOfItsDays() {
    for (String now : new String[] {"2025-12-31T23:59:59Z", "2027-01-01T00:00:00Z"}) {
      ProofSettings settings =
          ProofSettings.any(settings(KEY).keys(), Instant.parse(now)).forDecision(SPEC);
      refused(ModelFault.KEY_NOT_VALID, SIGNED, settings);
    }
  }
}
