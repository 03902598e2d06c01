package io.isle.lib.model;

import static io.isle.lib.model.Refusals.raw;
import static io.isle.lib.model.Refusals.refused;
import static io.isle.lib.model.Samples.KEY;
import static io.isle.lib.model.Samples.SIGNED;
import static io.isle.lib.model.Samples.SPEC;
import static io.isle.lib.model.Samples.UNSIGNED;
import static io.isle.lib.model.Samples.prove;
import static io.isle.lib.model.Samples.settings;
import static io.isle.lib.model.Samples.signed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.api.inference.DecisionSpec;
import io.isle.lib.model.form.LinearForm;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each field, cut, flipped and exchanged part ends in its code. */
class HostileFileTest {
  /** Where the parameters begin. */
  private static final int P = ModelFile.HEADER_BYTES;

  @Test
  void eachFieldOfTheHeader() {
    raw(ModelFault.BAD_MAGIC, "magic", file -> file.putInt(0, 0x454C5349));
    raw(ModelFault.BAD_VERSION, "version", file -> file.putInt(4, 0));
    raw(ModelFault.BAD_VERSION, "version", file -> file.putInt(4, 2));
    refused(ModelFault.BAD_TYPE, "model_type", file -> file.putInt(8, 4));
    refused(ModelFault.BAD_TYPE, "model_type", file -> file.putInt(8, -1));
    refused(ModelFault.BAD_FEATURES, "input_features", file -> file.putInt(12, 0));
    refused(ModelFault.BAD_FEATURES, "input_features", file -> file.putInt(12, 257));
    refused(ModelFault.BAD_FEATURES, "input_features", file -> file.putInt(12, -1));
    refused(ModelFault.COUNTS_DIFFER, "parameters.features", file -> file.putInt(12, 1));
    refused(ModelFault.BAD_OUTPUTS, "outputs", file -> file.putInt(16, 0));
    refused(ModelFault.BAD_OUTPUTS, "outputs", file -> file.putInt(16, 65));
    refused(ModelFault.COUNTS_DIFFER, "parameters.outputs", file -> file.putInt(16, 2));
    raw(ModelFault.TOO_LARGE, "param_size", file -> file.putLong(20, (1 << 20) + 1));
    raw(ModelFault.TOO_LARGE, "param_size", file -> file.putLong(20, -1));
    raw(ModelFault.TRUNCATED, "param_size", file -> file.putLong(20, SIGNED.length - P + 1));
    raw(ModelFault.TRAILING_BYTES, "param_size", file -> file.putLong(20, SIGNED.length - P - 1));
    raw(ModelFault.TRAILING_BYTES, "param_size", file -> file.putLong(20, 0));
    raw(ModelFault.BAD_HASH, "sha256_hash", file -> file.put(36, (byte) ~SIGNED[36]));
    raw(ModelFault.BAD_RESERVED, "reserved", file -> file.put(4761, (byte) 1));
    raw(ModelFault.BAD_RESERVED, "reserved", file -> file.put(4789, (byte) 0x80));
  }

  @Test
  void timeAboveTheHeaderOrTheBudget() {
    refused(
        ModelFault.OVER_HEADER, "max_latency_ns", file -> file.putLong(28, Samples.BOUND_NS - 1));
    refused(ModelFault.OVER_HEADER, "max_latency_ns", file -> file.putLong(28, 0));
    refused(
        ModelFault.OVER_BUDGET, "max_latency_ns", file -> file.putLong(28, SPEC.budgetNs() + 1));
    refused(ModelFault.OVER_BUDGET, "max_latency_ns", file -> file.putLong(28, -1));
    refused(ModelFault.OVER_BUDGET, SIGNED, settings(KEY).withBudget(SPEC.budgetNs() - 1));
  }

  @Test
  void eachFieldOfTheParameters() {
    refused(ModelFault.BAD_VERSION, "parameters.version", file -> file.putShort(P, (short) 2));
    refused(
        ModelFault.COUNTS_DIFFER, "parameters.features", file -> file.putShort(P + 2, (short) 3));
    refused(
        ModelFault.COUNTS_DIFFER, "parameters.outputs", file -> file.putShort(P + 4, (short) 0));
    refused(
        ModelFault.BAD_RESERVED, "parameters.reserved", file -> file.putShort(P + 6, (short) 1));
    refused(ModelFault.BAD_DECISION, "decision", file -> file.put(P + 8, (byte) 'S'));
    refused(ModelFault.BAD_DECISION, "decision", file -> file.put(P + 8, (byte) 0));
    refused(ModelFault.BAD_DECISION, "decision", file -> file.put(P + 39, (byte) 'x'));
    refused(
        ModelFault.BAD_DECISION,
        "decision",
        file -> file.put(P + 8, "a".repeat(32).getBytes(StandardCharsets.US_ASCII)));
    refused(ModelFault.OTHER_DECISION, "decision", file -> file.put(P + 8, (byte) 'r'));
    refused(ModelFault.OTHER_SCHEMA, "schema", file -> file.putLong(P + 40, ~SPEC.schema()));
    refused(ModelFault.BAD_SERIAL, "serial", file -> file.putLong(P + 48, -1));
    refused(ModelFault.BAD_TIME, "trained_at", file -> file.putLong(P + 56, -1));
    refused(ModelFault.BAD_TIME, "trained_at", file -> file.putLong(P + 56, 253_402_300_800L));
    refused(ModelFault.BAD_RANGE, "feature[0].max", file -> file.putInt(P + 64, 1001));
    refused(ModelFault.BAD_RANGE, "feature[1].max", file -> file.putInt(P + 84, 0));
    refused(ModelFault.BAD_RANGE, "feature[0].mean", file -> file.putInt(P + 72, -1));
    refused(ModelFault.BAD_RANGE, "feature[1].mean", file -> file.putInt(P + 88, 10));
    refused(ModelFault.BAD_RANGE, "output[0].max", file -> file.putInt(P + 100, 4));
  }

  @Test
  void aFileCutAnywhere() {
    for (int length = 0; length < SIGNED.length; length++) {
      refused(ModelFault.TRUNCATED, Arrays.copyOf(SIGNED, length), settings(KEY));
    }
    refused(ModelFault.TRAILING_BYTES, Arrays.copyOf(SIGNED, SIGNED.length + 1), settings(KEY));
  }

  @Test
  void parametersCutAnywhere() {
    byte[] parameters = Arrays.copyOfRange(UNSIGNED, P, UNSIGNED.length);
    for (int length = 0; length < parameters.length; length++) {
      byte[] cut = Arrays.copyOf(parameters, length);
      byte[] file = ModelFile.seal(ModelType.LINEAR, 2, 1, SPEC.budgetNs(), cut);
      refused(ModelFault.TRUNCATED, signed(file, KEY), settings(KEY));
    }
    byte[] longer = Arrays.copyOf(parameters, parameters.length + 1);
    byte[] file = ModelFile.seal(ModelType.LINEAR, 2, 1, SPEC.budgetNs(), longer);
    refused(ModelFault.TRAILING_BYTES, signed(file, KEY), settings(KEY));
  }

  /** All bits but those of the zeros behind the signature, which one test above has. */
  @Test
  void aFlippedBitAnywhere() {
    Set<ModelFault> seen = EnumSet.noneOf(ModelFault.class);
    for (int i = 0; i < SIGNED.length; i++) {
      boolean costly = i >= 68 && i < 134 + 3309;
      if (costly && i % 64 != 0) {
        continue;
      }
      byte[] file = SIGNED.clone();
      file[i] ^= (byte) (1 << i % 8);
      ModelException e =
          assertThrows(ModelException.class, () -> prove(file, settings(KEY).unsignedToo()));
      seen.add(e.fault());
    }
    assertEquals(
        EnumSet.of(
            ModelFault.BAD_MAGIC,
            ModelFault.BAD_VERSION,
            ModelFault.TOO_LARGE,
            ModelFault.TRUNCATED,
            ModelFault.TRAILING_BYTES,
            ModelFault.BAD_HASH,
            ModelFault.BAD_RESERVED,
            ModelFault.BAD_ED25519,
            ModelFault.BAD_ML_DSA),
        seen);
  }

  @Test
  void anotherSlotsModel() {
    ProofSettings here = settings(KEY);
    DecisionSpec renamed = new DecisionSpec("elsewhere", SPEC.features(), SPEC.outputs());
    refused(ModelFault.OTHER_DECISION, SIGNED, here.forDecision(renamed));
    DecisionSpec fewer =
        new DecisionSpec(SPEC.name(), SPEC.features().subList(0, 1), SPEC.outputs());
    refused(ModelFault.OTHER_SCHEMA, SIGNED, here.forDecision(fewer));
  }

  @Test
  void anotherShapeUnderTheSchema() {
    ModelParameters p = Samples.PARAMETERS;
    LinearForm one =
        new LinearForm(
            1, new int[1], new int[] {LinearForm.NO_THRESHOLD}, new int[1], new short[1]);
    ModelParameters narrow =
        new ModelParameters(
            p.decision(),
            p.schema(),
            p.serial(),
            p.trainedAt(),
            p.features().subList(0, 1),
            p.outputs());
    byte[] file =
        ModelFile.seal(ModelType.LINEAR, 1, 1, SPEC.budgetNs(), narrow.bytes(one.bytes()));
    refused(ModelFault.COUNTS_DIFFER, signed(file, KEY), settings(KEY));
  }

  @Test
  void anOldSerial() {
    String other = "ab".repeat(32);
    ProofSettings here = settings(KEY);
    refused(ModelFault.OLD_SERIAL, SIGNED, here.notOlderThan(new SerialMark(8, other)));
    refused(ModelFault.SERIAL_REUSED, SIGNED, here.notOlderThan(new SerialMark(7, other)));
    refused(
        ModelFault.OLD_SERIAL,
        UNSIGNED,
        here.unsignedToo().notOlderThan(new SerialMark(Long.MAX_VALUE, other)));
  }

  /** The first fault in the order of the checks is told, whatever else is wrong. */
  @Test
  void theOrderOfTheChecks() {
    byte[] all = UNSIGNED.clone();
    ByteBuffer file = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
    file.putInt(0, 1).putInt(4, 9).putInt(8, 9).putLong(20, 1L << 40);
    file.put(4761, (byte) 1).putLong(P + 48, 0).putShort(P, (short) 9);
    refused(ModelFault.BAD_MAGIC, "magic", all);
    file.putInt(0, ModelFile.MAGIC);
    refused(ModelFault.BAD_VERSION, "version", all);
    file.putInt(4, 1);
    refused(ModelFault.TOO_LARGE, "param_size", all);
    file.putLong(20, all.length - P);
    refused(ModelFault.BAD_HASH, "sha256_hash", all);
    Samples.rehashed(all);
    refused(ModelFault.BAD_RESERVED, "reserved", all);
    file.put(4761, (byte) 0);
    refused(ModelFault.UNSIGNED, "ed25519_sig", all);
    refused(ModelFault.BAD_TYPE, "model_type", signed(all, KEY));
    file.putInt(8, 2);
    refused(ModelFault.BAD_VERSION, "parameters.version", signed(Samples.rehashed(all), KEY));
    file.putShort(P, (short) 1);
    byte[] old = signed(Samples.rehashed(all), KEY);
    refused(
        ModelFault.OLD_SERIAL,
        old,
        settings(KEY).notOlderThan(new SerialMark(1, "ab".repeat(32))).withBudget(1));
    refused(ModelFault.OVER_BUDGET, old, settings(KEY).withBudget(1));
  }
}
