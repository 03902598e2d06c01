package io.isle.apps.jobs.fault;

import io.isle.apps.jobs.measure.EstimateErrors;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** What a running job counts. Thread-safe. */
public final class Measures {
  public final LongAdder bytes = new LongAdder();
  public final LongAdder blocks = new LongAdder();

  /** Pieces of work that were written and submitted again. */
  public final LongAdder retries = new LongAdder();

  /** Submissions that ended with an error. */
  public final LongAdder failed = new LongAdder();

  /** Results that differ from the CPU's. */
  public final LongAdder wrong = new LongAdder();

  public final EstimateErrors estimates = new EstimateErrors();

  /** Most recoveries that one stream noticed by itself. */
  public final LongAccumulator interruptions = new LongAccumulator(Long::max, 0);

  private long pieces;

  /** A piece of work is done for good. */
  public synchronized void finished(long pieceBytes, long pieceBlocks) {
    bytes.add(pieceBytes);
    blocks.add(pieceBlocks);
    pieces++;
    notifyAll();
  }

  public synchronized long pieces() {
    return pieces;
  }

  /** Waits until so many pieces and input bytes are done. */
  public synchronized void await(long wantedPieces, long wantedBytes) throws InterruptedException {
    while (pieces < wantedPieces || bytes.sum() < wantedBytes) {
      wait();
    }
  }
}
