package io.isle.apps.jobs.run;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * A piece of input in the JVM's own memory, where no crash of a device reaches it: it is kept until
 * its results are taken.
 */
final class Chunk {
  final MemorySegment memory;
  private final ByteBuffer bytes;

  /** Bytes of input; -1 marks the end of the input. */
  long length;

  /** Times that it was submitted again. */
  int retries;

  private Chunk(MemorySegment memory) {
    this.memory = memory;
    this.bytes = memory.asByteBuffer();
  }

  static Chunk allocate(Arena arena, long bytes) {
    return new Chunk(arena.allocate(bytes, Long.BYTES));
  }

  /** The end of the input. */
  static Chunk end() {
    Chunk chunk = new Chunk(MemorySegment.NULL);
    chunk.length = -1;
    return chunk;
  }

  boolean isEnd() {
    return length < 0;
  }

  /** Its memory, empty, to be filled with the next piece. */
  ByteBuffer fillable() {
    retries = 0;
    return bytes.clear();
  }

  /** What was filled in. */
  MemorySegment data() {
    return memory.asSlice(0, length);
  }
}
