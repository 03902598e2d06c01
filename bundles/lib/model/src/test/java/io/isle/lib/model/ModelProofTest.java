package io.isle.lib.model;

import static io.isle.lib.model.Samples.KEY;
import static io.isle.lib.model.Samples.LARGE;
import static io.isle.lib.model.Samples.OTHER;
import static io.isle.lib.model.Samples.SIGNED;
import static io.isle.lib.model.Samples.SPEC;
import static io.isle.lib.model.Samples.UNSIGNED;
import static io.isle.lib.model.Samples.prove;
import static io.isle.lib.model.Samples.settings;
import static io.isle.lib.model.Samples.signed;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.lib.model.engine.Coefficients;
import io.isle.lib.signing.SigningKey;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ModelProofTest {
  @Test
  void aSoundFileIsProvenWithAllThatItSays() {
    ProvenModel model = prove(SIGNED, settings(OTHER, KEY));
    int paramBytes = SIGNED.length - 4790;
    String sha256 = HexFormat.of().formatHex(SIGNED, 36, 68);
    assertEquals(
        new ModelHeader(ModelType.LINEAR, 2, 1, paramBytes, SPEC.budgetNs(), sha256),
        model.header());
    assertEquals(SPEC.name(), model.decision());
    assertEquals(SPEC.schema(), model.schema());
    assertEquals(Samples.SERIAL, model.serial());
    assertEquals(Samples.PARAMETERS.trainedAt(), model.trainedAt());
    assertEquals(Samples.PARAMETERS.features(), model.features());
    assertEquals(Samples.PARAMETERS.outputs(), model.outputs());
    assertEquals(Samples.BOUND_NS, model.boundNs());
    assertEquals(Optional.of(KEY.publicKey()), model.signer());
    int[] out = new int[1];
    assertEquals(ModelEngine.DONE, model.engine().run(new int[] {100, 7}, out, new ModelRun()));
    assertEquals(319, out[0]);
  }

  @Test
  void theFileHasThePublishedLayout() {
    ByteBuffer file = ByteBuffer.wrap(SIGNED).order(ByteOrder.LITTLE_ENDIAN);
    assertArrayEquals(HexFormat.of().parseHex("454c5349"), Arrays.copyOf(SIGNED, 4));
    assertEquals(1, file.getInt(4));
    assertEquals(2, file.getInt(8));
    assertEquals(2, file.getInt(12));
    assertEquals(1, file.getInt(16));
    assertEquals(SIGNED.length - 4790, file.getLong(20));
    assertEquals(SPEC.budgetNs(), file.getLong(28));
    assertEquals(3309, file.getShort(132));
    assertTrue(allZero(134 + 3309, 4790));
    assertEquals(0x0001_0002_0001_0000L, reversed(file.getLong(4790)));
    assertEquals("sample", new String(SIGNED, 4798, 6, StandardCharsets.US_ASCII));
    assertTrue(allZero(4804, 4830));
    assertEquals(SPEC.schema(), file.getLong(4830));
    assertEquals(Samples.SERIAL, file.getLong(4838));
    assertEquals(Samples.PARAMETERS.trainedAt().getEpochSecond(), file.getLong(4846));
    assertEquals(400, file.getInt(4854 + 8));
    assertEquals(-1, file.getInt(4854 + 12));
    assertEquals(3100, file.getInt(4854 + 32 + 4));
  }

  /** The four numbers of 16 bits in reading order. */
  private static long reversed(long halves) {
    return (halves & 0xFFFF) << 48
        | (halves >>> 16 & 0xFFFF) << 32
        | (halves >>> 32 & 0xFFFF) << 16
        | halves >>> 48;
  }

  private static boolean allZero(int from, int to) {
    for (int i = from; i < to; i++) {
      if (SIGNED[i] != 0) {
        return false;
      }
    }
    return true;
  }

  @Test
  void aKeyOfTheLargestParameterSetSignsToo() {
    byte[] file = signed(UNSIGNED, LARGE);
    assertEquals(4627, ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getShort(132));
    assertEquals(Optional.of(LARGE.publicKey()), prove(file, settings(KEY, LARGE)).signer());
  }

  @Test
  void signaturesTakeThePlaceOfEarlierOnes() {
    byte[] again = signed(signed(UNSIGNED, LARGE), KEY);
    assertEquals(Optional.of(KEY.publicKey()), prove(again, settings(KEY)).signer());
    assertArrayEquals(UNSIGNED, Arrays.copyOf(withoutSignatures(again), UNSIGNED.length));
  }

  private static byte[] withoutSignatures(byte[] file) {
    byte[] bare = file.clone();
    Arrays.fill(bare, 68, 4761, (byte) 0);
    return bare;
  }

  @Test
  void anUnsignedFilePassesWhereItIsAllowed() {
    assertEquals(Optional.empty(), prove(UNSIGNED, settings(KEY).unsignedToo()).signer());
  }

  @Test
  void withoutADecisionAnyOneIsAccepted() {
    ProofSettings any = ProofSettings.any(settings(KEY).keys(), Samples.NOW);
    assertEquals(SPEC.name(), prove(SIGNED, any).decision());
  }

  @Test
  void theSameFileAndANewerOneMayFollow() {
    String sha256 = prove(SIGNED, settings(KEY)).header().sha256();
    prove(SIGNED, settings(KEY).notOlderThan(new SerialMark(Samples.SERIAL, sha256)));
    prove(SIGNED, settings(KEY).notOlderThan(new SerialMark(Samples.SERIAL - 1, "ab".repeat(32))));
  }

  /** The engine must not see what becomes of the caller's array. */
  @Test
  void theProofWorksOnACopy() {
    byte[] file = SIGNED.clone();
    ProvenModel model = prove(file, settings(KEY));
    Arrays.fill(file, (byte) -1);
    int[] out = new int[1];
    model.engine().run(new int[] {100, 7}, out, new ModelRun());
    assertEquals(319, out[0]);
  }

  @Test
  void theBoundMayReachTheHeaderAndTheHeaderTheBudget() {
    byte[] exact = Samples.changed(file -> file.putLong(28, Samples.BOUND_NS));
    assertEquals(
        Samples.BOUND_NS, prove(exact, settings(KEY).withBudget(Samples.BOUND_NS)).boundNs());
  }

  @Test
  void theMachineMeasuresItsCoefficients() {
    byte[] slow = Samples.changed(file -> file.putLong(28, 1_000_000_000));
    ProvenModel model =
        ModelProof.prove(slow, settings(new SigningKey[] {KEY}).withBudget(1_000_000_000));
    assertTrue(model.boundNs() > 0);
  }

  /** Other work on the machine makes a measurement too large, and none too small. */
  @Test
  void aBoundAboveTheHeaderIsMeasuredAgain() {
    Coefficients busy = new Coefficients(1_000_000_000, 0, 0, 0, 0, 0);
    Iterator<Coefficients> later = List.of(busy, Samples.COEFFICIENTS).iterator();
    ProvenModel model = ModelProof.prove(SIGNED, settings(KEY), () -> busy, later::next);
    assertEquals(Samples.BOUND_NS, model.boundNs());
    ModelException refused =
        assertThrows(
            ModelException.class,
            () -> ModelProof.prove(SIGNED, settings(KEY), () -> busy, () -> busy));
    assertEquals(ModelFault.OVER_HEADER, refused.fault());
  }
}
