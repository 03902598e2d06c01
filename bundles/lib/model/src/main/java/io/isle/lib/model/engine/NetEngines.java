package io.isle.lib.model.engine;

import io.isle.lib.model.ModelEngine;
import io.isle.lib.model.form.NetForm;

/** The fastest engine for nets that this machine has. */
public final class NetEngines {
  private NetEngines() {}

  /** The engine for a proven form: of the C library, else {@link ReferenceEngine}. */
  public static ModelEngine of(NetForm form) {
    return NetLibrary.available() ? new NetEngine(form) : new ReferenceEngine(form);
  }
}
