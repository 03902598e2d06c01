package io.isle.benchmarks.inference;

import io.isle.lib.model.ModelEngine;
import io.isle.lib.model.ModelRun;

/** Work that is measured in a process of its own. */
@FunctionalInterface
interface Loop {
  /** Nanoseconds of one round, the mean of so many; or another figure of the loop. */
  double measure(int rounds);

  /**
   * The number of a round's input, in an order that no processor learns: branches are as hard to
   * predict as those of real decisions. Peers in C have the same.
   *
   * @param inputs a power of two, at most 4096
   */
  static int input(int round, int inputs) {
    int mixed = round * 0x9E3779B1;
    return (mixed ^ mixed >>> 15) * 0x85EBCA77 >>> 20 & inputs - 1;
  }

  /** Answers of an engine to one input after the other. */
  static Loop of(ModelEngine engine, int[][] inputs, int outputs) {
    int[] out = new int[outputs];
    ModelRun run = new ModelRun();
    return rounds -> {
      long start = System.nanoTime();
      for (int i = 0; i < rounds; i++) {
        int ignored = engine.run(inputs[input(i, inputs.length)], out, run);
      }
      return (System.nanoTime() - start) / (double) rounds;
    };
  }
}
