package io.isle.apps.jobs.run;

import io.isle.apps.jobs.data.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * Pieces that are sorted, each by itself, become one sorted output: they are kept in a file that
 * has no name, and merged at the end. Used by one thread.
 */
final class MergeSink extends Sink {
  private static final long OUT_BYTES = 1 << 20;

  private final ElementType type;
  private final ArraySink sink;
  private final RunFile runs;

  /**
   * @param sink takes the sorted elements
   * @param output beside which the pieces are kept
   */
  MergeSink(ElementType type, ArraySink sink, Path output) throws InterruptedException {
    super(sink.step(), sink.file().orElse(null));
    this.type = type;
    this.sink = sink;
    this.runs = RunFile.create(output, type);
  }

  @Override
  void accept(MemorySegment results) throws InterruptedException {
    runs.add(results);
  }

  @Override
  void finish() throws InterruptedException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(OUT_BYTES, Long.BYTES);
      long room = OUT_BYTES / type.bytes();
      RunHeap heap = new RunHeap(runs.readers(arena));
      long used = 0;
      while (!heap.isEmpty()) {
        type.setKey(out, used++, heap.take());
        if (used == room) {
          sink.accept(out);
          used = 0;
        }
      }
      if (used > 0) {
        sink.accept(out.asSlice(0, used * type.bytes()));
      }
    }
    sink.finish();
  }

  @Override
  long written() {
    return sink.written();
  }

  @Override
  public void close() {
    runs.close();
    sink.close();
  }
}
