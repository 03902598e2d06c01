package io.isle.apps.jobs.run;

import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** What a running job counts. Thread-safe. */
final class Measures {
  final LongAdder bytes = new LongAdder();
  final LongAdder blocks = new LongAdder();

  /** Pieces of work that were written and submitted again. */
  final LongAdder retries = new LongAdder();

  /** Submissions that ended with an error. */
  final LongAdder failed = new LongAdder();

  /** Results that differ from the CPU's. */
  final LongAdder wrong = new LongAdder();

  /** Most recoveries that one stream noticed by itself. */
  final LongAccumulator interruptions = new LongAccumulator(Long::max, 0);

  private long pieces;

  /** A piece of work is done for good. */
  synchronized void finished(long pieceBytes, long pieceBlocks) {
    bytes.add(pieceBytes);
    blocks.add(pieceBlocks);
    pieces++;
    notifyAll();
  }

  synchronized long pieces() {
    return pieces;
  }

  /** Waits until so many pieces and input bytes are done. */
  synchronized void await(long wantedPieces, long wantedBytes) throws InterruptedException {
    while (pieces < wantedPieces || bytes.sum() < wantedBytes) {
      wait();
    }
  }
}
