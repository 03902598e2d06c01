package io.isle.apps.jobs.run;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A piece of input where no crash of a device reaches it, in the JVM's own memory or in a file: it
 * can be had again until its results are taken.
 */
final class Chunk {
  /** Of each lane; null for a lane without input, or in a file. */
  private final MemorySegment[] memory;

  private final ByteBuffer[] bytes;

  /** Of each lane in a file, and where in it; null for others. */
  private final FileWindows[] files;

  private final long[] places;

  /** The first window of each lane in a file, until it was copied. */
  private final FileWindows.Ready[] ready;

  private final long[] lengths;

  /** Of the step's pieces, from 1. */
  long number;

  /** Units begun; -1 marks the end of the input. */
  long units;

  /** Times that it was submitted again. */
  int retries;

  private Chunk(int lanes) {
    memory = new MemorySegment[lanes];
    bytes = new ByteBuffer[lanes];
    files = new FileWindows[lanes];
    places = new long[lanes];
    ready = new FileWindows.Ready[lanes];
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

  /** The next piece of a lane lies there; reads it into the page cache. */
  void lies(int lane, FileWindows file, long at, long length) throws InterruptedException {
    retries = 0;
    drop(lane);
    ready[lane] = length == 0 ? null : file.read(at, length);
    files[lane] = file;
    places[lane] = at;
    lengths[lane] = length;
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

  /** Copies a lane's input to the front of {@code to}. */
  void copy(int lane, MemorySegment to) throws InterruptedException {
    if (files[lane] == null) {
      MemorySegment.copy(memory[lane], 0, to, 0, lengths[lane]);
      return;
    }
    long done = 0;
    if (ready[lane] != null) {
      MemorySegment first = ready[lane].bytes();
      done = first.byteSize();
      MemorySegment.copy(first, 0, to, 0, done);
      drop(lane);
    }
    MemorySegment rest = to.asSlice(done);
    files[lane].each(
        places[lane] + done,
        lengths[lane] - done,
        (window, at) -> MemorySegment.copy(window, 0, rest, at, window.byteSize()));
  }

  private void drop(int lane) {
    if (ready[lane] != null) {
      ready[lane].close();
      ready[lane] = null;
    }
  }

  /** Gives back what was not copied. */
  void drop() {
    for (int lane = 0; lane < ready.length; lane++) {
      drop(lane);
    }
  }

  /**
   * A lane's input.
   *
   * @param arena for as long as which it is there
   */
  MemorySegment data(int lane, Arena arena) throws InterruptedException {
    return files[lane] == null
        ? memory[lane].asSlice(0, lengths[lane])
        : files[lane].map(places[lane], lengths[lane], arena);
  }
}
