package io.isle.lib.model;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Types of models (accelerator framework, 45.3), by their numbers in files. */
public enum ModelType {
  /** A decision tree, or several whose answers add up. */
  DECISION_TREE,
  /** A table of 1 to 4 quantized features. */
  LOOKUP_TABLE,
  /** A dot product with a threshold. */
  LINEAR,
  /** A feed-forward net of up to four weight layers with 8-bit weights. */
  TINY_NEURAL_NET;

  /** The number in the header. */
  public int id() {
    return ordinal();
  }

  /** Lower case, as in commands and JSON. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The type with this number, if any. */
  public static Optional<ModelType> of(int id) {
    return Arrays.stream(values()).filter(type -> type.id() == id).findFirst();
  }
}
