package io.isle.lib.model.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.isle.lib.model.ModelEngine;
import io.isle.lib.model.ModelRun;
import io.isle.lib.model.form.NetForm;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Nets on every unit of the C library. */
final class NetUnitsTest {
  private static final int[] UNITS = {NetLibrary.BEST, NetLibrary.PORTABLE, NetLibrary.AVX512};

  @Property(tries = 100)
  void everyUnitEqualsTheReference(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 256) int features,
      @ForAll @IntRange(min = 1, max = 256) int hidden,
      @ForAll @IntRange(min = 1, max = 64) int outputs)
      throws Throwable {
    Forms forms = new Forms(new SplittableRandom(seed));
    NetForm form = forms.net(features, hidden, hidden, outputs);
    MemorySegment net = MemorySegment.ofArray(NetPacking.pack(form));
    int[] input = forms.words(features);
    int[] expected = new int[outputs];
    ModelRun run = new ModelRun();
    new ReferenceEngine(form).run(input, expected, run);
    for (int unit : UNITS) {
      Optional<MethodHandle> handle = NetLibrary.handle(unit);
      if (handle.isPresent()) {
        System.arraycopy(input, 0, run.words(), ModelRun.INPUT, features);
        assertEquals(ModelEngine.DONE, (int) handle.get().invokeExact(net, run.segment()));
        int[] actual = Arrays.copyOfRange(run.words(), ModelRun.OUTPUT, ModelRun.OUTPUT + outputs);
        assertArrayEquals(expected, actual, "unit " + unit);
      }
    }
  }

  @Test
  void aNetThatWasAskedToYieldGoesOnLater() {
    Forms forms = new Forms(new SplittableRandom(7));
    NetForm form = forms.net(20, 30, 40, 50, 6);
    int[] input = forms.words(20);
    int[] expected = new int[6];
    ModelRun run = new ModelRun();
    new ReferenceEngine(form).run(input, expected, run);
    for (ModelEngine engine : new ModelEngine[] {new NetEngine(form), new ReferenceEngine(form)}) {
      int[] out = new int[6];
      run.requestYield();
      assertTrue(run.yieldRequested());
      for (int layer = 1; layer < 4; layer++) {
        assertEquals(ModelEngine.YIELDED, engine.run(input, out, run));
        assertEquals(layer, run.words()[ModelRun.LAYER]);
      }
      assertEquals(ModelEngine.DONE, engine.run(input, out, run));
      assertArrayEquals(expected, out);
      assertEquals(ModelEngine.YIELDED, engine.run(input, out, run));
      run.resume();
      assertEquals(ModelEngine.DONE, engine.run(input, out, run));
      assertArrayEquals(expected, out);
    }
  }

  @Test
  void aNetThatIsNotWantedAnyMoreIsForgotten() {
    Forms forms = new Forms(new SplittableRandom(8));
    NetForm form = forms.net(3, 4, 5, 6);
    int[] out = new int[6];
    int[] expected = new int[6];
    ModelRun run = new ModelRun();
    ModelEngine engine = new NetEngine(form);
    run.requestYield();
    engine.run(forms.words(3), out, run);
    run.resume();
    run.restart();
    int[] input = forms.words(3);
    engine.run(input, out, run);
    new ReferenceEngine(form).run(input, expected, run);
    assertArrayEquals(expected, out);
  }

  @Test
  void answersAllocateNothing() {
    Forms forms = new Forms(new SplittableRandom(9));
    ModelEngine[] engines = {
      new NetEngine(forms.net(16, 16, 2)),
      new ReferenceEngine(forms.net(16, 16, 2)),
      TreeEngines.of(forms.trees(16, 2, 1, 50)),
      TreeEngines.of(forms.trees(16, 2, 3, 50)),
      new TableEngine(forms.table(16, 2, 3)),
      new LinearEngine(forms.linear(16, 2))
    };
    int[] input = forms.words(16);
    int[] out = new int[2];
    ModelRun run = new ModelRun();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (ModelEngine engine : engines) {
      long before = 0;
      for (int i = 0; i < 40_000; i++) {
        if (i == 30_000) {
          before = threads.getCurrentThreadAllocatedBytes();
        }
        engine.run(input, out, run);
      }
      long bytes = threads.getCurrentThreadAllocatedBytes() - before;
      assertTrue(bytes < 5_000, engine.getClass() + " allocated " + bytes + " bytes");
    }
  }
}
