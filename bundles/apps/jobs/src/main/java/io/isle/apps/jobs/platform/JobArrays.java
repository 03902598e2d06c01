package io.isle.apps.jobs.platform;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The arrays of one job outside of the heap, in arenas of its steps. Closed when its streams have
 * ended: whatever a step did not give back by then goes. Thread-safe.
 */
public final class JobArrays implements AutoCloseable {
  private final ArrayBudget budget;
  private final Set<Counted> open = ConcurrentHashMap.newKeySet();

  public JobArrays(ArrayBudget budget) {
    this.budget = budget;
  }

  /** For any thread; what is too much is refused with ENOMEM. Closed twice it is closed once. */
  public Arena open() {
    Counted arena = new Counted();
    open.add(arena);
    return arena;
  }

  @Override
  public void close() {
    open.forEach(Counted::close);
  }

  private final class Counted implements Arena {
    private final Arena memory = Arena.ofShared();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicBoolean closed = new AtomicBoolean();

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
      budget.take(byteSize);
      boolean made = false;
      try {
        MemorySegment segment = memory.allocate(byteSize, byteAlignment);
        bytes.addAndGet(byteSize);
        made = true;
        return segment;
      } finally {
        if (!made) {
          budget.give(byteSize);
        }
      }
    }

    @Override
    public MemorySegment.Scope scope() {
      return memory.scope();
    }

    @Override
    public void close() {
      if (closed.compareAndSet(false, true)) {
        open.remove(this);
        memory.close();
        budget.give(bytes.get());
      }
    }
  }
}
