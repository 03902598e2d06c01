package io.isle.net.xdp.net;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How fast a file is read: frames wait in the file while an app of the platform is half a link
 * behind. An app that takes nothing for a second is not waited for, until it takes frames again.
 * Belongs to the thread of the tile.
 */
final class FilePace {
  static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(1);

  /** Somebody who takes frames of one link. */
  interface Reader {
    /** Lines of the link. */
    int depth();

    /** Frames that were ever published on the link, or a few less; any thread. */
    long produced();

    /** Frames of those that the reader has taken or lost, or a few less; any thread. */
    long taken();
  }

  private final Reader[] readers;
  private final long[] taken;
  private final long[] sinceNs;
  private boolean begun;

  FilePace(List<Reader> readers) {
    this.readers = readers.toArray(Reader[]::new);
    taken = new long[this.readers.length];
    sinceNs = new long[this.readers.length];
  }

  /** Frames that all readers have room for now. */
  int room(long nowNs) {
    long room = Integer.MAX_VALUE;
    for (int i = 0; i < readers.length; i++) {
      long now = readers[i].taken();
      long behind = readers[i].produced() - now;
      if (!begun || now != taken[i] || behind <= 0) {
        taken[i] = now;
        sinceNs[i] = nowNs;
      }
      if (nowNs - sinceNs[i] < PATIENCE_NS) {
        room = Math.min(room, readers[i].depth() / 2 - behind);
      }
    }
    begun = true;
    return (int) Math.max(0, room);
  }
}
