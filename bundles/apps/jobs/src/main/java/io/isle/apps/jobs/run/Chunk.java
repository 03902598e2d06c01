package io.isle.apps.jobs.run;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A piece of input where no crash of a device reaches it, in the JVM's own memory or in a file: it
 * is kept until its results are taken.
 */
final class Chunk {
  /** Of each lane; null for a lane without input. */
  private final MemorySegment[] memory;

  private final ByteBuffer[] bytes;
  private final long[] lengths;

  /** Units begun; -1 marks the end of the input. */
  long units;

  /** Times that it was submitted again. */
  int retries;

  private Chunk(int lanes) {
    memory = new MemorySegment[lanes];
    bytes = new ByteBuffer[lanes];
    lengths = new long[lanes];
  }

  /**
   * @param inFile lanes that get their pieces by {@link #lies}
   */
  static Chunk allocate(Arena arena, List<Lane> lanes, long units, boolean[] inFile) {
    Chunk chunk = new Chunk(lanes.size());
    for (int i = 0; i < lanes.size(); i++) {
      if (lanes.get(i).in() > 0 && !inFile[i]) {
        chunk.memory[i] = arena.allocate(units * lanes.get(i).in(), Long.BYTES);
        chunk.bytes[i] = chunk.memory[i].asByteBuffer();
      }
    }
    return chunk;
  }

  /** The end of the input. */
  static Chunk end() {
    Chunk chunk = new Chunk(0);
    chunk.units = -1;
    return chunk;
  }

  boolean isEnd() {
    return units < 0;
  }

  /** The memory of a lane, empty, to be filled with the next piece. */
  ByteBuffer fillable(int lane) {
    retries = 0;
    return bytes[lane].clear();
  }

  /** The next piece of a lane lies there. */
  void lies(int lane, MemorySegment piece) {
    retries = 0;
    memory[lane] = piece;
    lengths[lane] = piece.byteSize();
  }

  /** So many bytes of a lane were filled. */
  void filled(int lane, long length) {
    lengths[lane] = length;
  }

  /** Bytes of a lane's input. */
  long length(int lane) {
    return lengths[lane];
  }

  /** Bytes of all inputs. */
  long length() {
    long sum = 0;
    for (long length : lengths) {
      sum += length;
    }
    return sum;
  }

  /** What was filled into a lane. */
  MemorySegment data(int lane) {
    return memory[lane].asSlice(0, lengths[lane]);
  }
}
