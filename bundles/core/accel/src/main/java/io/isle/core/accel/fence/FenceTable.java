package io.isle.core.accel.fence;

import io.isle.api.base.Ids;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Timelines by core id. An id finds its timeline while that is there and nothing afterwards,
 * whoever has the index then: ids carry a generation. Thread-safe, without locks; {@link #find}
 * allocates nothing.
 */
public final class FenceTable {
  /** Most timelines of contexts on a node. */
  public static final int CONTEXTS = 4096;

  /** Most timelines of tenants on a node. */
  public static final int HOSTS = 1024;

  private final AtomicReferenceArray<FenceSource> contexts = new AtomicReferenceArray<>(CONTEXTS);
  private final AtomicReferenceArray<FenceSource> hosts = new AtomicReferenceArray<>(HOSTS);

  /** Whoever adds owns the index until {@link #remove}. */
  public void add(FenceSource source) {
    kind(source.id()).set(Ids.index(source.id()), source);
  }

  /** Before its id is given back. Does nothing for one that is not there. */
  public void remove(FenceSource source) {
    boolean ignored = kind(source.id()).compareAndSet(Ids.index(source.id()), source, null);
  }

  /** Whether an id can be one of a timeline. */
  public static boolean isTimeline(long id) {
    int kind = Ids.kind(id);
    int index = Ids.index(id);
    return Ids.generation(id) > 0
        && index >= 0
        && (kind == Ids.TIMELINE && index < CONTEXTS || kind == Ids.HOST_TIMELINE && index < HOSTS);
  }

  /** Null when there is none of that id, now or at all. */
  public FenceSource find(long id) {
    if (!isTimeline(id)) {
      return null;
    }
    FenceSource found = kind(id).get(Ids.index(id));
    return found != null && found.id() == id ? found : null;
  }

  /** Timelines of contexts, then those of tenants. */
  public List<FenceSource> list() {
    List<FenceSource> all = new ArrayList<>();
    collect(contexts, all);
    collect(hosts, all);
    return all;
  }

  private static void collect(AtomicReferenceArray<FenceSource> from, List<FenceSource> into) {
    for (int i = 0; i < from.length(); i++) {
      FenceSource source = from.get(i);
      if (source != null) {
        into.add(source);
      }
    }
  }

  private AtomicReferenceArray<FenceSource> kind(long id) {
    return Ids.kind(id) == Ids.HOST_TIMELINE ? hosts : contexts;
  }
}
