package io.isle.benchmarks.inference;

import io.isle.lib.model.engine.NetEngines;

/** The loops that {@link LoopProcess} runs, by name. */
enum Loops {
  /** Answers of a net. */
  NET {
    @Override
    Loop make() {
      SampleNet net = new SampleNet();
      return Loop.of(NetEngines.of(net.form()), net.inputs(), SampleNet.OUTPUTS);
    }
  },
  /** Answers of a tree. */
  TREE {
    @Override
    Loop make() {
      return Loop.of(new SampleTree(1).body().engine(), SampleTree.inputs(TREE_INPUTS), 1);
    }
  },
  /** Decisions by a net. */
  NET_GUARDED {
    @Override
    Loop make() {
      return Guarded.net();
    }
  },
  /** The same net by ONNX Runtime, in floats. */
  ONNX_FP32 {
    @Override
    Loop make() throws Exception {
      return new OnnxLoop(new SampleNet(), false);
    }
  },
  /** The same net by ONNX Runtime, in 8 bits. */
  ONNX_INT8 {
    @Override
    Loop make() throws Exception {
      return new OnnxLoop(new SampleNet(), true);
    }
  },
  /** Decisions by a table. */
  TABLE_GUARDED {
    @Override
    Loop make() {
      return Guarded.table();
    }
  },
  /** Bytes that a decision by a net, a table and a tree allocate together. */
  ALLOCATION {
    @Override
    Loop make() {
      return new Allocation();
    }
  },
  /** Both signatures of a model file, as the proof verifies them. */
  VERIFY {
    @Override
    Loop make() throws Exception {
      return new Verification(false);
    }
  },
  /** The same by the JDK alone. */
  VERIFY_JDK {
    @Override
    Loop make() throws Exception {
      return new Verification(true);
    }
  },
  /** Median time of the first decision after a swap of trees. */
  SWAP_FIRST {
    @Override
    Loop make() {
      return new Swaps();
    }
  };

  /** Inputs of trees; a power of two. */
  static final int TREE_INPUTS = 4096;

  abstract Loop make() throws Exception;
}
