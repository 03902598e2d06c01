package io.isle.lib.model.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.lib.model.ModelEngine;
import io.isle.lib.model.ModelRun;
import io.isle.lib.model.body.ModelBody;
import io.isle.lib.model.form.ModelForm;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Every engine gives the answers of the reference, bit for bit, and survives its own file. */
final class EquivalenceTest {
  private static final int INPUTS = 20;

  @Property(tries = 300)
  void enginesEqualTheReference(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 256) int features,
      @ForAll @IntRange(min = 1, max = 64) int outputs) {
    RandomGenerator random = new SplittableRandom(seed);
    Forms forms = new Forms(random);
    ModelForm form = forms.any(features, outputs);
    ModelBody body = ModelBody.prove(form.type(), ByteBuffer.wrap(form.bytes()), features, outputs);
    assertArrayEquals(form.bytes(), body.form().bytes());
    ModelEngine reference = new ReferenceEngine(form);
    ModelRun run = new ModelRun();
    for (int i = 0; i < INPUTS; i++) {
      int[] input = forms.words(features);
      int[] expected = new int[outputs];
      int[] actual = new int[outputs];
      assertEquals(reference.run(input, expected, run), body.engine().run(input, actual, run));
      if (reference.run(input, expected, run) == ModelEngine.DONE) {
        assertArrayEquals(expected, actual, () -> form.type() + " for " + Arrays.toString(input));
      }
    }
  }

  @Test
  void theLibraryIsThere() {
    assertTrue(NetLibrary.available());
  }
}
