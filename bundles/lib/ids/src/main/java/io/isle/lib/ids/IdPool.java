package io.isle.lib.ids;

import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.base.IsleException;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Core ids of one kind, of which a tenant has at most half; an index is used again under a new
 * generation. Thread-safe.
 */
public final class IdPool {
  private final int kind;
  private final String what;
  private final Refusal refusal;
  private final int[] generations;

  /** By index, the tenant that has it. */
  private final String[] owners;

  private final BitSet taken = new BitSet();
  private final TenantShares shares;
  private int cursor;

  /** Makes the exception of the area that the ids belong to. */
  @FunctionalInterface
  public interface Refusal {
    IsleException of(int code, String message);
  }

  /**
   * @param capacity 1 or more
   * @param what plural, for the message when all {@code capacity} ids are taken
   * @param refusal what {@link #take} throws
   */
  public IdPool(int kind, int capacity, String what, Refusal refusal) {
    this.kind = kind;
    this.what = what;
    this.refusal = refusal;
    this.generations = new int[capacity];
    this.owners = new String[capacity];
    this.shares = new TenantShares(capacity);
  }

  /**
   * Takes an id for a tenant.
   *
   * @throws IsleException ENOSPC naming the limit: the tenant's, or that of all
   */
  public synchronized long take(String tenant) {
    int index = taken.nextClearBit(cursor);
    if (index >= owners.length) {
      index = taken.nextClearBit(0);
    }
    if (index >= owners.length) {
      throw refusal.of(
          Errno.ENOSPC,
          "all " + owners.length + " " + what + " of the node are in use; close some first");
    }
    if (!shares.take(tenant, 1)) {
      throw refusal.of(
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
    generations[index] = Ids.nextGeneration(generations[index]);
    own(index, tenant);
    return Ids.of(kind, generations[index], index);
  }

  private void own(int index, String tenant) {
    taken.set(index);
    owners[index] = tenant;
    cursor = index + 1;
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

  /**
   * By index, the generation of the newest id; 0 for none. A pool that follows this one goes on
   * from there by {@link #follow}.
   */
  public synchronized int[] generations() {
    return generations.clone();
  }

  /**
   * Goes on where another pool has ended; before the first {@link #take}.
   *
   * @param before as {@link #generations} gave them
   * @throws IllegalArgumentException for another capacity or a number that is no generation
   */
  public synchronized void follow(int[] before) {
    if (before.length != generations.length) {
      throw new IllegalArgumentException(
          "generations: " + before.length + ", not " + generations.length);
    }
    for (int generation : before) {
      if (generation < 0 || generation > Ids.MAX_GENERATION) {
        throw new IllegalArgumentException(
            "generation " + generation + " is not in 0.." + Ids.MAX_GENERATION);
      }
    }
    System.arraycopy(before, 0, generations, 0, before.length);
  }

  /**
   * Goes on after ids that are not known: the first of each index follows {@code generation}.
   *
   * @throws IllegalArgumentException for a number that is no generation
   */
  public synchronized void startAfter(int generation) {
    int[] all = new int[generations.length];
    Arrays.fill(all, generation);
    follow(all);
  }

  /**
   * Takes an id that a tenant had when the pool before ended.
   *
   * @return false unless it is the newest of its index, and free, and the tenant may have it
   */
  public synchronized boolean retake(long id, String tenant) {
    int index = Ids.index(id);
    if (Ids.kind(id) != kind
        || index < 0
        || index >= owners.length
        || taken.get(index)
        || Ids.generation(id) == 0
        || generations[index] != Ids.generation(id)
        || !shares.take(tenant, 1)) {
      return false;
    }
    own(index, tenant);
    return true;
  }
}
