package io.isle.lib.tango;

/**
 * A copy of the metadata of a fragment, filled by {@link Mcache#read}. One object serves all reads
 * of a thread. Values are those of the producer, and unchecked.
 */
public final class Frag {
  /** Bits of {@link #ctl}: first and last fragment of a message, and a message with an error. */
  public static final int SOM = 1;

  public static final int EOM = 2;
  public static final int ERR = 4;

  /** {@link #ctl} of a message of one fragment. */
  public static final int WHOLE = SOM | EOM;

  private static final int ORIGIN_SHIFT = 3;
  private static final int LAST_ORIGIN = (1 << 13) - 1;

  long seq;
  long sig;

  /** {@code chunk | sz << 32 | ctl << 48}. */
  long place;

  /** {@code tsorig | tspub << 32}. */
  long times;

  /** Makes {@code ctl} of an ordinary link. */
  public static int ctl(int origin, boolean som, boolean eom, boolean err) {
    return (som ? SOM : 0)
        | (eom ? EOM : 0)
        | (err ? ERR : 0)
        | (origin & LAST_ORIGIN) << ORIGIN_SHIFT;
  }

  /** Origin in {@code ctl}, 0 to 8191. */
  public static int origin(int ctl) {
    return ctl >>> ORIGIN_SHIFT & LAST_ORIGIN;
  }

  /** Sequence number, unsigned. */
  public long seq() {
    return seq;
  }

  /** Signature, by which consumers filter. */
  public long sig() {
    return sig;
  }

  /** First chunk of the payload, 0 to 2^32 - 1. */
  public long chunk() {
    return place & 0xffff_ffffL;
  }

  /** Bytes of the payload, 0 to 65535. */
  public int size() {
    return (int) (place >>> 32) & 0xffff;
  }

  /** Control bits, 0 to 65535. */
  public int ctl() {
    return (int) (place >>> 48);
  }

  /** Low 32 bits of the time at the message's origin. */
  public int tsorig() {
    return (int) times;
  }

  /** Low 32 bits of the time of the publication. */
  public int tspub() {
    return (int) (times >>> 32);
  }
}
