package io.isle.benchmarks.inference;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.Result;
import ai.onnxruntime.OrtSession.SessionOptions;
import io.isle.lib.model.engine.ReferenceEngine;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Map;

/**
 * Answers of the net by ONNX Runtime: one thread, all optimizations, input and output in memory
 * that is there before.
 */
final class OnnxLoop implements Loop {
  private static final OrtEnvironment ENVIRONMENT = OrtEnvironment.getEnvironment();

  /** Rounding between layers may differ, or be missing: of the largest answer. */
  private static final double TOLERANCE = 0.03;

  private final OrtSession session;
  private final ByteBuffer bytes;
  private final FloatBuffer floats;
  private final FloatBuffer out;
  private final Map<String, OnnxTensor> inputs;
  private final Map<String, OnnxTensor> outputs;
  private final byte[][] byteInputs;
  private final float[][] floatInputs;
  private final boolean quantized;

  OnnxLoop(SampleNet net, boolean quantized) throws OrtException {
    this.quantized = quantized;
    try (SessionOptions options = new SessionOptions()) {
      options.setIntraOpNumThreads(1);
      options.setInterOpNumThreads(1);
      options.setExecutionMode(SessionOptions.ExecutionMode.SEQUENTIAL);
      options.setOptimizationLevel(SessionOptions.OptLevel.ALL_OPT);
      session = ENVIRONMENT.createSession(OnnxNet.bytes(net.form(), quantized), options);
    }
    bytes = memory(SampleNet.FEATURES);
    floats = memory(4 * SampleNet.FEATURES).asFloatBuffer();
    out = memory(4 * SampleNet.OUTPUTS).asFloatBuffer();
    long[] inputShape = {1, SampleNet.FEATURES};
    inputs =
        Map.of(
            OnnxNet.INPUT,
            quantized
                ? OnnxTensor.createTensor(ENVIRONMENT, bytes, inputShape, OnnxJavaType.UINT8)
                : OnnxTensor.createTensor(ENVIRONMENT, floats, inputShape));
    outputs =
        Map.of(
            OnnxNet.OUTPUT,
            OnnxTensor.createTensor(ENVIRONMENT, out, new long[] {1, SampleNet.OUTPUTS}));
    byteInputs = new byte[net.inputs().length][SampleNet.FEATURES];
    floatInputs = new float[net.inputs().length][SampleNet.FEATURES];
    for (int i = 0; i < byteInputs.length; i++) {
      for (int f = 0; f < SampleNet.FEATURES; f++) {
        byteInputs[i][f] = (byte) net.inputs()[i][f];
        floatInputs[i][f] = net.inputs()[i][f];
      }
    }
    compare(net.answers(new ReferenceEngine(net.form()), SampleNet.OUTPUTS));
  }

  private static ByteBuffer memory(int size) {
    return ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
  }

  private void compare(int[][] expected) throws OrtException {
    long largest = 0;
    double difference = 0;
    for (int i = 0; i < expected.length; i++) {
      answer(i);
      for (int o = 0; o < SampleNet.OUTPUTS; o++) {
        largest = Math.max(largest, Math.abs((long) expected[i][o]));
        difference = Math.max(difference, Math.abs(expected[i][o] - (double) out.get(o)));
      }
    }
    if (difference > TOLERANCE * largest) {
      throw new IllegalStateException(
          "ONNX Runtime differs by " + difference + ", with answers up to " + largest);
    }
  }

  private void answer(int input) throws OrtException {
    if (quantized) {
      bytes.put(0, byteInputs[input]);
    } else {
      floats.put(0, floatInputs[input]);
    }
    try (Result result = session.run(inputs, outputs)) {
      if (result.size() != 1) {
        throw new IllegalStateException("ONNX Runtime gave " + result.size() + " results");
      }
    }
  }

  @Override
  public double measure(int rounds) {
    try {
      long start = System.nanoTime();
      for (int i = 0; i < rounds; i++) {
        answer(Loop.input(i, byteInputs.length));
      }
      return (System.nanoTime() - start) / (double) rounds;
    } catch (OrtException e) {
      throw new IllegalStateException("ONNX Runtime failed", e);
    }
  }
}
