package io.isle.core.accel.ids;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import java.util.BitSet;

/**
 * Core ids of one kind, of which a tenant has at most half; an index is used again under a new
 * generation. Thread-safe.
 */
public final class IdPool {
  private final int kind;
  private final String what;
  private final int[] generations;

  /** By index, the tenant that has it. */
  private final String[] owners;

  private final BitSet taken = new BitSet();
  private final TenantShares shares;
  private int cursor;

  /**
   * @param what plural, for the message when all {@code capacity} ids are taken
   */
  public IdPool(int kind, int capacity, String what) {
    this.kind = kind;
    this.what = what;
    this.generations = new int[capacity];
    this.owners = new String[capacity];
    this.shares = new TenantShares(capacity);
  }

  /**
   * Takes an id for a tenant.
   *
   * @throws AccelException ENOSPC naming the limit: the tenant's, or that of all
   */
  public synchronized long take(String tenant) {
    int index = taken.nextClearBit(cursor);
    if (index >= owners.length) {
      index = taken.nextClearBit(0);
    }
    if (index >= owners.length) {
      throw new AccelException(
          Errno.ENOSPC,
          "all " + owners.length + " " + what + " of the node are taken; close some first");
    }
    if (!shares.take(tenant, 1)) {
      throw new AccelException(
          Errno.ENOSPC,
          "tenant "
              + tenant
              + " has "
              + shares.most()
              + " of the node's "
              + owners.length
              + " "
              + what
              + ", the most that one tenant may have; close some first");
    }
    taken.set(index);
    owners[index] = tenant;
    cursor = index + 1;
    generations[index] = Ids.nextGeneration(generations[index]);
    return Ids.of(kind, generations[index], index);
  }

  /** Gives back what {@link #take} gave; nothing when that was given back already. */
  public synchronized void give(long id) {
    int index = Ids.index(id);
    if (taken.get(index) && generations[index] == Ids.generation(id)) {
      taken.clear(index);
      shares.give(owners[index], 1);
      owners[index] = null;
    }
  }
}
