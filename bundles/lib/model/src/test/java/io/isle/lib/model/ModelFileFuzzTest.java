package io.isle.lib.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any bytes are a model or end in a code. The hash is made right first: else no input would come
 * past it.
 */
class ModelFileFuzzTest {
  @MethodSource("seeds")
  @FuzzTest
  void anyFileIsProvenOrRefused(byte[] input) {
    proveOrRefuse(input);
    byte[] file = Arrays.copyOf(input, Math.max(input.length, ModelFile.HEADER_BYTES));
    Arrays.fill(file, ModelFile.ED25519_AT, ModelFile.HEADER_BYTES, (byte) 0);
    proveOrRefuse(Samples.rehashed(file));
  }

  private static void proveOrRefuse(byte[] file) {
    ProvenModel model;
    try {
      model = Samples.prove(file, Samples.settings(Samples.KEY).unsignedToo());
    } catch (ModelException e) {
      assertTrue(e.getMessage().startsWith(e.fault() + ": " + e.place()), e.getMessage());
      return;
    }
    assertEquals(Samples.SPEC.features().size(), model.header().features());
    int[] out = new int[model.header().outputs()];
    ModelRun run = new ModelRun();
    for (int value : new int[] {Integer.MIN_VALUE, -1, 0, 77, Integer.MAX_VALUE}) {
      int[] features = new int[model.header().features()];
      Arrays.fill(features, value);
      int answer = model.engine().run(features, out, run);
      assertTrue(answer == ModelEngine.DONE || answer == ModelEngine.ABSTAINED);
    }
  }

  static Stream<byte[]> seeds() {
    return Stream.of(
        new byte[0],
        Samples.UNSIGNED,
        Samples.SIGNED,
        Samples.changed(file -> file.putInt(8, 0)),
        Samples.changed(file -> file.putInt(8, 1)),
        Samples.changed(file -> file.putInt(8, 3)));
  }
}
