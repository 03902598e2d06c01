package io.isle.lib.model;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Memory of one thread that runs models, large enough for every model that the proof admits. One
 * thread at a time, but for {@link #requestYield}. A net that was left between two layers goes on
 * in the run that it began in.
 */
public final class ModelRun {
  /** In the words of a net: other than 0 after a request to yield. */
  public static final int YIELD = 0;

  /** In the words of a net: the next layer; 0 at the begin. */
  public static final int LAYER = 1;

  /** In the words of a net: the first feature. */
  public static final int INPUT = 16;

  /** In the words of a net: the first output. */
  public static final int OUTPUT = INPUT + 256;

  /** In the words of a net: two times 256 activations of 8 bits. */
  public static final int ACTIVATIONS = OUTPUT + 64;

  /** A net without the library has one activation a word, 256 behind the outputs. */
  private static final int WORDS = OUTPUT + 256;

  private static final int OUTPUTS = 64;
  private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(int[].class);

  private final int[] words = new int[WORDS];
  private final MemorySegment segment = MemorySegment.ofArray(words);
  private final long[] sums = new long[OUTPUTS];

  /** Asks a running net to return between two layers. Any thread. */
  public void requestYield() {
    ELEMENT.setVolatile(words, YIELD, 1);
  }

  /** Takes the request back before the net goes on. */
  public void resume() {
    ELEMENT.setVolatile(words, YIELD, 0);
  }

  /** Forgets a net that was left between two layers. */
  public void restart() {
    words[LAYER] = 0;
  }

  /** Whether a yield was requested. */
  public boolean yieldRequested() {
    return (int) ELEMENT.getVolatile(words, YIELD) != 0;
  }

  /** Memory of nets; for engines. */
  public int[] words() {
    return words;
  }

  /** The same memory for calls of C; for engines. */
  public MemorySegment segment() {
    return segment;
  }

  /** Sums of the outputs of several trees; for engines. */
  public long[] sums() {
    return sums;
  }
}
