package io.isle.lib.model.body;

import io.isle.lib.model.ModelEngine;
import io.isle.lib.model.ModelException;
import io.isle.lib.model.ModelType;
import io.isle.lib.model.engine.Cost;
import io.isle.lib.model.form.ModelForm;
import java.nio.ByteBuffer;

/**
 * The part of the parameters that depends on the type, proven: each run of the engine ends after
 * the work of {@code cost} and stays within its arrays.
 *
 * @param form its numbers
 * @param engine computes the answers
 * @param cost most work of one answer
 */
public record ModelBody(ModelForm form, ModelEngine engine, Cost cost) {
  /**
   * Proves a body.
   *
   * @param body from its position to its limit; not changed
   * @param features of the header, 1 to 256
   * @param outputs of the header, 1 to 64
   * @throws ModelException the first fault, with its place
   */
  public static ModelBody prove(ModelType type, ByteBuffer body, int features, int outputs) {
    BodyReader in = new BodyReader(body);
    return switch (type) {
      case DECISION_TREE -> TreeBody.prove(in, features, outputs);
      case LOOKUP_TABLE -> TableBody.prove(in, features, outputs);
      case LINEAR -> LinearBody.prove(in, features, outputs);
      case TINY_NEURAL_NET -> NetBody.prove(in, features, outputs);
    };
  }
}
