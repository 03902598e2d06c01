package io.isle.benchmarks.inference;

import io.isle.lib.model.form.NetForm;
import io.isle.lib.model.form.NetForm.Layer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The net as a model of ONNX: in floats a Gemm and a Relu a layer; in 8 bits a QGemm a layer, whose
 * activations have no sign, so that the limit at 0 is the Relu.
 */
final class OnnxNet {
  static final String INPUT = "input";
  static final String OUTPUT = "output";

  private static final int FLOAT = 1;
  private static final int UINT8 = 2;
  private static final int INT8 = 3;
  private static final int INT32 = 6;
  private static final int IR_VERSION = 8;
  private static final int OPSET = 17;
  private static final String MICROSOFT = "com.microsoft";

  private final NetForm form;
  private final boolean quantized;
  private final ProtoWriter graph = new ProtoWriter();

  private OnnxNet(NetForm form, boolean quantized) {
    this.form = form;
    this.quantized = quantized;
  }

  /** The bytes of the model file. */
  static byte[] bytes(NetForm form, boolean quantized) {
    return new OnnxNet(form, quantized).model();
  }

  private byte[] model() {
    int last = form.layers().size() - 1;
    String in = INPUT;
    for (int i = 0; i <= last; i++) {
      String out = i == last ? OUTPUT : "layer" + i;
      if (quantized) {
        quantized(i, in, out, i == last);
      } else {
        floats(i, in, out, i == last);
      }
      in = out;
    }
    graph.text(2, "net");
    graph.message(11, value(INPUT, quantized ? UINT8 : FLOAT, form.offsets().length));
    graph.message(12, value(OUTPUT, FLOAT, form.outputs()));
    return new ProtoWriter()
        .number(1, IR_VERSION)
        .message(7, graph)
        .message(8, new ProtoWriter().text(1, "").number(2, OPSET))
        .message(8, new ProtoWriter().text(1, MICROSOFT).number(2, 1))
        .toBytes();
  }

  private void floats(int number, String in, String out, boolean last) {
    Layer layer = form.layers().get(number);
    float scale = (float) scale(layer);
    ByteBuffer weights = buffer(4 * layer.weights().length);
    for (int input = 0; input < layer.inputs(); input++) {
      for (int neuron = 0; neuron < layer.outputs(); neuron++) {
        weights.putFloat(scale * layer.weights()[neuron * layer.inputs() + input]);
      }
    }
    ByteBuffer bias = buffer(4 * layer.outputs());
    for (int value : layer.bias()) {
      bias.putFloat(scale * value);
    }
    tensor("weights" + number, FLOAT, weights, layer.inputs(), layer.outputs());
    tensor("bias" + number, FLOAT, bias, layer.outputs());
    String sums = last ? out : "sums" + number;
    node("Gemm", "", sums, in, "weights" + number, "bias" + number);
    if (!last) {
      node("Relu", "", out, sums);
    }
  }

  private void quantized(int number, String in, String out, boolean last) {
    Layer layer = form.layers().get(number);
    ByteBuffer weights = buffer(layer.weights().length);
    for (int input = 0; input < layer.inputs(); input++) {
      for (int neuron = 0; neuron < layer.outputs(); neuron++) {
        weights.put(layer.weights()[neuron * layer.inputs() + input]);
      }
    }
    ByteBuffer bias = buffer(4 * layer.outputs());
    for (int value : layer.bias()) {
      bias.putInt(value);
    }
    tensor("weights" + number, INT8, weights, layer.inputs(), layer.outputs());
    tensor("bias" + number, INT32, bias, layer.outputs());
    tensor("one" + number, FLOAT, buffer(4).putFloat(1));
    tensor("zero" + number, UINT8, buffer(1).put((byte) 0));
    tensor("zeroWeight" + number, INT8, buffer(1).put((byte) 0));
    String one = "one" + number;
    if (last) {
      node(
          "QGemm",
          MICROSOFT,
          out,
          in,
          one,
          "zero" + number,
          "weights" + number,
          one,
          "zeroWeight" + number,
          "bias" + number);
      return;
    }
    tensor("scale" + number, FLOAT, buffer(4).putFloat((float) (1 / scale(layer))));
    node(
        "QGemm",
        MICROSOFT,
        out,
        in,
        one,
        "zero" + number,
        "weights" + number,
        one,
        "zeroWeight" + number,
        "bias" + number,
        "scale" + number,
        "zero" + number);
  }

  private static double scale(Layer layer) {
    return layer.multiplier() / (double) (1L << layer.shift());
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private void node(String operation, String domain, String out, String... in) {
    ProtoWriter node = new ProtoWriter();
    for (String name : in) {
      node.text(1, name);
    }
    graph.message(1, node.text(2, out).text(3, out + operation).text(4, operation).text(7, domain));
  }

  private void tensor(String name, int type, ByteBuffer data, int... shape) {
    ProtoWriter tensor = new ProtoWriter();
    for (int size : shape) {
      tensor.number(1, size);
    }
    graph.message(5, tensor.number(2, type).text(8, name).bytes(9, data.array()));
  }

  private static ProtoWriter value(String name, int type, int size) {
    ProtoWriter shape =
        new ProtoWriter()
            .message(1, new ProtoWriter().number(1, 1))
            .message(1, new ProtoWriter().number(1, size));
    ProtoWriter tensor = new ProtoWriter().number(1, type).message(2, shape);
    return new ProtoWriter().text(1, name).message(2, new ProtoWriter().message(1, tensor));
  }
}
