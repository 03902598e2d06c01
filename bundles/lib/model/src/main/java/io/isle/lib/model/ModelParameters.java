package io.isle.lib.model;

import io.isle.api.inference.DecisionSpec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The part of the parameters that all types have. Immutable.
 *
 * <pre>
 *   0   2  version, 1
 *   2   2  features, as in the header
 *   4   2  outputs, as in the header
 *   6   2  0
 *   8  32  name of the decision, then zeros
 *  40   8  schema of the decision
 *  48   8  serial
 *  56   8  time of the training, in seconds since 1970
 *  64  16  a feature: min, max, mean, standard deviation
 *       8  an output: min, max
 *          the body
 * </pre>
 *
 * @param decision name of the decision
 * @param schema {@link DecisionSpec#schema}
 * @param serial 0 to 2^63 - 1
 * @param trainedAt 1970 to 9999
 * @param features one a feature
 * @param outputs one an output
 */
public record ModelParameters(
    String decision,
    long schema,
    long serial,
    Instant trainedAt,
    List<TrainedFeature> features,
    List<TrainedOutput> outputs) {
  static final int VERSION = 1;
  static final int HEAD_BYTES = 64;
  static final int DECISION_BYTES = 32;
  static final int FEATURE_BYTES = 16;
  static final int OUTPUT_BYTES = 8;
  static final long MOST_SECONDS = 253_402_300_799L;

  /** Copies the lists. */
  public ModelParameters {
    features = List.copyOf(features);
    outputs = List.copyOf(outputs);
  }

  /** The parameters with this body, for {@link ModelFile#seal}. Checks nothing: the proof does. */
  public byte[] bytes(byte[] body) {
    ByteBuffer out =
        ByteBuffer.allocate(length(features.size(), outputs.size()) + body.length)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putShort((short) VERSION)
            .putShort((short) features.size())
            .putShort((short) outputs.size())
            .putShort((short) 0)
            .put(decision.getBytes(StandardCharsets.US_ASCII))
            .position(8 + DECISION_BYTES)
            .putLong(schema)
            .putLong(serial)
            .putLong(trainedAt.getEpochSecond());
    for (TrainedFeature f : features) {
      out.putInt(f.min()).putInt(f.max()).putInt(f.mean()).putInt((int) f.stddev());
    }
    for (TrainedOutput o : outputs) {
      out.putInt(o.min()).putInt(o.max());
    }
    return out.put(body).array();
  }

  private static int length(int features, int outputs) {
    return HEAD_BYTES + FEATURE_BYTES * features + OUTPUT_BYTES * outputs;
  }

  /**
   * Reads them up to the body.
   *
   * @param in the parameters; afterwards at the body
   * @param features of the header, 1 to 256
   * @param outputs of the header, 1 to 64
   * @throws ModelException the first fault, with its place
   */
  static ModelParameters parse(ByteBuffer in, int features, int outputs) {
    int needed = length(features, outputs);
    if (in.remaining() < needed) {
      throw new ModelException(
          ModelFault.TRUNCATED,
          "parameters",
          "they have " + in.remaining() + " bytes, the part before the body " + needed);
    }
    number(in, ModelFault.BAD_VERSION, "parameters.version", VERSION);
    number(in, ModelFault.COUNTS_DIFFER, "parameters.features", features);
    number(in, ModelFault.COUNTS_DIFFER, "parameters.outputs", outputs);
    number(in, ModelFault.BAD_RESERVED, "parameters.reserved", 0);
    String decision = decision(in);
    long schema = in.getLong();
    long serial = within(in, ModelFault.BAD_SERIAL, "serial", Long.MAX_VALUE);
    long seconds = within(in, ModelFault.BAD_TIME, "trained_at", MOST_SECONDS);
    List<TrainedFeature> trained = new ArrayList<>();
    for (int i = 0; i < features; i++) {
      trained.add(feature(in, "feature[" + i + "]"));
    }
    List<TrainedOutput> ranges = new ArrayList<>();
    for (int i = 0; i < outputs; i++) {
      int min = in.getInt();
      int max = in.getInt();
      requireRange("output[" + i + "]", min, max);
      ranges.add(new TrainedOutput(min, max));
    }
    return new ModelParameters(
        decision, schema, serial, Instant.ofEpochSecond(seconds), trained, ranges);
  }

  private static void number(ByteBuffer in, ModelFault fault, String place, int wanted) {
    int found = Short.toUnsignedInt(in.getShort());
    if (found != wanted) {
      throw new ModelException(fault, place, found + " is not " + wanted);
    }
  }

  private static long within(ByteBuffer in, ModelFault fault, String place, long most) {
    long found = in.getLong();
    if (Long.compareUnsigned(found, most) > 0) {
      throw new ModelException(fault, place, Long.toUnsignedString(found) + " is not 0 to " + most);
    }
    return found;
  }

  private static String decision(ByteBuffer in) {
    byte[] bytes = new byte[DECISION_BYTES];
    in.get(bytes);
    int end = 0;
    while (end < DECISION_BYTES && bytes[end] != 0) {
      end++;
    }
    String name = new String(bytes, 0, end, StandardCharsets.ISO_8859_1);
    boolean padded = true;
    for (int i = end; i < DECISION_BYTES; i++) {
      padded &= bytes[i] == 0;
    }
    if (!padded || !DecisionSpec.NAME.matcher(name).matches()) {
      throw new ModelException(
          ModelFault.BAD_DECISION,
          "decision",
          "the bytes are not a name that matches " + DecisionSpec.NAME + ", then zeros");
    }
    return name;
  }

  private static TrainedFeature feature(ByteBuffer in, String place) {
    int min = in.getInt();
    int max = in.getInt();
    int mean = in.getInt();
    requireRange(place, min, max);
    if (mean < min || mean > max) {
      throw new ModelException(
          ModelFault.BAD_RANGE, place + ".mean", mean + " is not " + min + " to " + max);
    }
    return new TrainedFeature(min, max, mean, Integer.toUnsignedLong(in.getInt()));
  }

  private static void requireRange(String place, int min, int max) {
    if (min > max) {
      throw new ModelException(
          ModelFault.BAD_RANGE, place + ".max", max + " is below the min, " + min);
    }
  }
}
