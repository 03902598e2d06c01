package io.isle.lib.tango;

import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Layouts of links in memory: the structures of {@code isle_tango.h}. Little-endian; offsets and
 * sizes in bytes.
 */
public final class TangoLayout {
  static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final VarHandle LONG = U64.varHandle();

  private TangoLayout() {}

  /** {@code isle_frag_meta}: the line of a fragment. */
  public static final class FragMeta {
    public static final long SEQ = 0;
    public static final long SIG = 8;
    public static final long CHUNK = 16;
    public static final long SZ = 20;
    public static final long CTL = 22;
    public static final long TSORIG = 24;
    public static final long TSPUB = 28;

    public static final int LINE_BYTES = 32;

    private FragMeta() {}
  }

  /** {@code isle_mcache}: the head of an mcache. Lines follow, then the application's region. */
  public static final class McacheHead {
    public static final long MAGIC = 0;
    public static final long DEPTH = 8;
    public static final long APP_SZ = 16;
    public static final long SEQ0 = 24;
    public static final long APP_OFF = 32;
    public static final long SEQ = 128;

    public static final int HEAD_BYTES = 256;

    private McacheHead() {}
  }

  /** {@code isle_dcache}: the head of a dcache. Data follow, then the application's region. */
  public static final class DcacheHead {
    public static final long MAGIC = 0;
    public static final long DATA_SZ = 8;
    public static final long APP_SZ = 16;
    public static final long APP_OFF = 24;

    public static final int HEAD_BYTES = 4096;

    private DcacheHead() {}
  }

  /** {@code isle_fseq}: progress of a consumer. */
  public static final class FseqBlock {
    public static final long MAGIC = 0;
    public static final long SEQ0 = 8;
    public static final long SEQ = 16;
    public static final long APP = 32;

    public static final int BLOCK_BYTES = 128;

    private FseqBlock() {}
  }

  /**
   * Rounds up.
   *
   * @param bytes 0 or more, so far below 2^63 that the result is, too
   * @param unit a power of two
   */
  static long aligned(long bytes, long unit) {
    return (bytes + unit - 1) & -unit;
  }
}
