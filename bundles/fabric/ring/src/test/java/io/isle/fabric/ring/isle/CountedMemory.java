package io.isle.fabric.ring.isle;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Arenas of one thread, with the number of bytes that are allocated and not freed. */
final class CountedMemory implements Supplier<Arena>, AutoCloseable {
  private final List<Arena> open = new ArrayList<>();
  private long bytes;

  long bytes() {
    return bytes;
  }

  @Override
  public Arena get() {
    Arena arena = new Counted();
    open.add(arena);
    return arena;
  }

  @Override
  public void close() {
    List.copyOf(open).forEach(Arena::close);
  }

  private final class Counted implements Arena {
    private final Arena arena = Arena.ofConfined();
    private long own;

    @Override
    public MemorySegment allocate(long size, long alignment) {
      own += size;
      bytes += size;
      return arena.allocate(size, alignment);
    }

    @Override
    public MemorySegment.Scope scope() {
      return arena.scope();
    }

    @Override
    public void close() {
      bytes -= own;
      open.remove(this);
      arena.close();
    }
  }
}
