package io.isle.lib.model.engine;

import io.isle.lib.model.ModelEngine;
import io.isle.lib.model.ModelRun;
import io.isle.lib.model.form.NetForm;
import java.lang.foreign.MemorySegment;

/** Computes nets by the C library, on heap memory. */
final class NetEngine implements ModelEngine {
  private final MemorySegment net;
  private final int features;
  private final int outputs;

  /**
   * @param form a proven form
   */
  NetEngine(NetForm form) {
    this.net = MemorySegment.ofArray(NetPacking.pack(form));
    this.features = form.offsets().length;
    this.outputs = form.outputs();
  }

  @Override
  public int run(int[] values, int[] out, ModelRun run) {
    int[] words = run.words();
    System.arraycopy(values, 0, words, ModelRun.INPUT, features);
    int result = NetLibrary.run(net, run.segment());
    if (result == DONE) {
      System.arraycopy(words, ModelRun.OUTPUT, out, 0, outputs);
    }
    return result;
  }
}
