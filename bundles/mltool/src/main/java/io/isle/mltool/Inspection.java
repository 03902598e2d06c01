package io.isle.mltool;

import io.isle.lib.model.ModelFile;
import io.isle.lib.model.ModelProof;
import io.isle.lib.model.ProofSettings;
import io.isle.lib.model.ProvenModel;
import io.isle.lib.model.body.ModelBody;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * A sound model file, whoever has signed it.
 *
 * @param model what is proven; its time is not
 * @param body the part that depends on the type
 * @param mlDsaBytes length of the ML-DSA signature, 0 without
 */
record Inspection(ProvenModel model, ModelBody body, int mlDsaBytes) {
  private static final int SIGNATURES_AT = 68;
  private static final int ML_DSA_LENGTH_AT = 132;
  private static final int HEAD_BYTES = 64;
  private static final int FEATURE_BYTES = 16;
  private static final int OUTPUT_BYTES = 8;

  /**
   * Looks into a file.
   *
   * @throws io.isle.lib.model.ModelException the first fault
   */
  static Inspection of(byte[] file, Tool tool) {
    byte[] bare = file.clone();
    int signed = 0;
    if (file.length >= ModelFile.HEADER_BYTES) {
      signed =
          Short.toUnsignedInt(
              ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getShort(ML_DSA_LENGTH_AT));
      // signatures are the matter of verify
      Arrays.fill(bare, SIGNATURES_AT, ModelFile.HEADER_BYTES, (byte) 0);
    }
    ProvenModel model =
        ModelProof.proveButTime(
            bare,
            ProofSettings.any(List.of(), tool.clock().instant())
                .unsignedToo()
                .withMaxParams(ModelFiles.MAX_PARAM_BYTES)
                .withBudget(Long.MAX_VALUE));
    int features = model.header().features();
    int outputs = model.header().outputs();
    int at =
        ModelFile.HEADER_BYTES + HEAD_BYTES + FEATURE_BYTES * features + OUTPUT_BYTES * outputs;
    ByteBuffer body = ByteBuffer.wrap(file, at, file.length - at);
    return new Inspection(
        model, ModelBody.prove(model.header().type(), body, features, outputs), signed);
  }

  /** The same of a file on disk. */
  static Inspection of(Path file, Tool tool) throws IOException {
    return of(ModelFiles.read(file), tool);
  }
}
