package io.isle.faces.shell.net.link;

import io.isle.lib.tango.Chunks;
import io.isle.lib.tango.Frag;
import io.isle.lib.tango.Fseq;
import io.isle.lib.tango.LinkReader;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Takes fragments and compares their signature and payload with their number. The producer may be
 * another program, and hostile: a fragment outside of the data region is corrupt.
 */
final class ConsumeLoop extends LinkLoop {
  private final LinkReader reader;
  private final Chunks chunks;
  private final Fseq progress;
  private final long delayNs;
  private final long firstSeq;
  private long corrupt;

  /**
   * @param progress null for a consumer that no producer obeys
   * @param delayNs from the look at a payload until the fragment is taken
   */
  ConsumeLoop(
      LinkReader reader,
      Chunks chunks,
      Fseq progress,
      Pace pace,
      long wanted,
      long delayNs,
      long timeoutNs,
      Consumer<Supplier<LinkResult>> watcher) {
    super(pace, wanted, timeoutNs, watcher);
    this.reader = reader;
    this.chunks = chunks;
    this.progress = progress;
    this.delayNs = delayNs;
    this.firstSeq = reader.seq();
  }

  @Override
  boolean isPaced() {
    return delayNs != 0;
  }

  @Override
  Step step() {
    long found = reader.poll();
    if (found != 0) {
      return found < 0 ? Step.WAIT : Step.AGAIN;
    }
    boolean whole = isWhole(reader.frag());
    if (delayNs != 0) {
      until(elapsedNs() + delayNs);
    }
    if (reader.take() != 0) {
      return Step.AGAIN;
    }
    if (!whole) {
      corrupt++;
    }
    if (progress != null) {
      progress.seq(reader.seq());
    }
    return Step.DONE;
  }

  private boolean isWhole(Frag frag) {
    long seq = frag.seq();
    if (frag.sig() != seq
        || frag.ctl() != Frag.WHOLE
        || !chunks.contains(frag.chunk(), frag.size())) {
      return false;
    }
    MemorySegment memory = chunks.memory();
    long at = Chunks.offset(frag.chunk());
    long bytes = Chunks.slot(frag.size());
    long differs = 0;
    for (long i = 0; i < bytes; i += Long.BYTES) {
      differs |= memory.get(ProduceLoop.WORD, at + i) ^ seq;
    }
    return differs == 0;
  }

  @Override
  void settle() {
    if (progress != null) {
      progress.seq(reader.seq());
    }
  }

  @Override
  LinkResult result(LinkResult.End end, long elapsedNs) {
    return new LinkResult(
        end,
        firstSeq,
        reader.seq(),
        count(),
        reader.lost(),
        reader.overrunsPolling(),
        reader.overrunsReading(),
        corrupt,
        0,
        elapsedNs);
  }
}
