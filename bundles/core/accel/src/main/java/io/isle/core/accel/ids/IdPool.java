package io.isle.core.accel.ids;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import java.util.BitSet;

/** Core ids of one kind; an index is used again under a new generation. Thread-safe. */
public final class IdPool {
  private final int kind;
  private final String what;
  private final int[] generations;
  private final BitSet taken = new BitSet();
  private int cursor;

  /**
   * @param what plural, for the message when all {@code capacity} ids are taken
   */
  public IdPool(int kind, int capacity, String what) {
    this.kind = kind;
    this.what = what;
    this.generations = new int[capacity];
  }

  /**
   * @throws AccelException ENOSPC
   */
  public synchronized long take() {
    int index = taken.nextClearBit(cursor);
    if (index >= generations.length) {
      index = taken.nextClearBit(0);
    }
    if (index >= generations.length) {
      throw new AccelException(
          Errno.ENOSPC,
          "all " + generations.length + " " + what + " of the node are taken; close some first");
    }
    taken.set(index);
    cursor = index + 1;
    generations[index] = Ids.nextGeneration(generations[index]);
    return Ids.of(kind, generations[index], index);
  }

  public synchronized void give(long id) {
    taken.clear(Ids.index(id));
  }
}
