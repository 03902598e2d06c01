package io.isle.lib.tango;

/**
 * The consuming side of a link: reads fragments in order, notices those that were overwritten, and
 * goes on with a newer one. A reliable consumer also tells its progress by an {@link Fseq}.
 *
 * <pre>{@code
 * if (reader.poll() == 0) {
 *   // read the payload of reader.frag() in place, or copy it
 *   if (reader.take() == 0) {
 *     // all that was read belongs to the fragment
 *   }
 * }
 * }</pre>
 *
 * <p>One thread at a time. Allocates and throws nothing after its construction.
 */
public final class LinkReader {
  private final Mcache mcache;
  private final Frag frag = new Frag();
  private long seq;
  private long lost;
  private long overrunsPolling;
  private long overrunsReading;

  /**
   * @param seq number of the first fragment to read: {@link Mcache#next} for those from now on,
   *     {@link Fseq#seq} for those that a reliable consumer has not used up
   */
  public LinkReader(Mcache mcache, long seq) {
    this.mcache = mcache;
    this.seq = seq;
  }

  /**
   * Copies the metadata of the next fragment.
   *
   * @return 0: {@link #frag} is filled; negative: not yet published; positive: so many fragments
   *     are lost, and the reader goes on behind them
   */
  public long poll() {
    long ahead = mcache.copy(seq, frag);
    if (ahead <= 0) {
      return ahead == 0 ? checked() : ahead;
    }
    overrunsPolling++;
    return skip(ahead);
  }

  private long checked() {
    long ahead = mcache.overrun(seq);
    if (ahead == 0) {
      return 0;
    }
    overrunsReading++;
    return skip(ahead);
  }

  /**
   * The line has, or had, a number that was published, or the one before a number in the making.
   */
  private long skip(long ahead) {
    // a producer never takes a number back, and if it does all the same, this fragment is lost
    long gone = Math.max(1, ahead);
    lost += gone;
    seq += gone;
    return gone;
  }

  /** Metadata of the fragment of the last {@link #poll} that returned 0. */
  public Frag frag() {
    return frag;
  }

  /**
   * Ends the reading of a fragment, and goes on to the next one.
   *
   * @return 0: all that was read since {@link #poll} belongs to the fragment; positive: the
   *     fragment was overwritten meanwhile, and so many are lost
   */
  public long take() {
    long gone = checked();
    if (gone == 0) {
      seq++;
    }
    return gone;
  }

  /** Number of the next fragment to read. */
  public long seq() {
    return seq;
  }

  /** Fragments that were overwritten before they were read. */
  public long lost() {
    return lost;
  }

  /** How often the next fragment was overwritten before it was found. */
  public long overrunsPolling() {
    return overrunsPolling;
  }

  /** How often a fragment was overwritten while it was read. */
  public long overrunsReading() {
    return overrunsReading;
  }
}
