package io.isle.lib.model.form;

import io.isle.lib.model.ModelType;

/**
 * The numbers of a model, as its file has them. The arrays are never changed after construction.
 */
public sealed interface ModelForm permits TreeForm, TableForm, LinearForm, NetForm {
  /** Type of the model. */
  ModelType type();

  /** Values of an answer. */
  int outputs();

  /** The bytes in a file; the proof of what they say is another matter. */
  byte[] bytes();
}
