package io.isle.lib.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.isle.lib.model.form.ModelForm;
import io.isle.lib.model.form.NetForm;
import io.isle.lib.model.form.TableForm;
import io.isle.lib.model.form.TreeForm;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
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
    ModelForm tree =
        new TreeForm(
            1,
            new int[] {0, 0},
            new int[] {500, 0, 0},
            new int[] {0, TreeForm.LEAF, TreeForm.LEAF},
            new int[] {1, 0, 1},
            new int[] {7, TreeForm.ABSTAIN});
    ModelForm table =
        new TableForm(
            1,
            List.of(new TableForm.Axis(0, 2, 8, -5), new TableForm.Axis(1, 1, 0, 3)),
            new int[] {1, 2, 3, 4, 5, 6, 7, TreeForm.ABSTAIN});
    ModelForm net =
        new NetForm(
            new int[2],
            new int[] {3, 0},
            List.of(
                layer(2, 3, NetForm.Activation.TABLE, new byte[NetForm.TABLE_BYTES]),
                layer(3, 1, NetForm.Activation.NONE, new byte[0])));
    return Stream.of(
        new byte[0],
        Samples.UNSIGNED,
        Samples.SIGNED,
        Samples.file(tree),
        Samples.file(table),
        Samples.file(net));
  }

  private static NetForm.Layer layer(
      int inputs, int neurons, NetForm.Activation activation, byte[] table) {
    byte[] weights = new byte[inputs * neurons];
    Arrays.fill(weights, (byte) 3);
    return new NetForm.Layer(inputs, new int[neurons], weights, 1 << 20, 20, activation, table);
  }

  /** Else a mistake in a seed would leave its body without a search. */
  @Test
  void allSeedsButTheEmptyOneAreSound() {
    seeds()
        .skip(1)
        .forEach(seed -> Samples.prove(seed, Samples.settings(Samples.KEY).unsignedToo()));
  }
}
