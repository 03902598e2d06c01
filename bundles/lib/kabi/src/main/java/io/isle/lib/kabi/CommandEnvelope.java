package io.isle.lib.kabi;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The layout of a command envelope, {@code isle_command}: a header, then waits, bindings and
 * operations without gaps. Little-endian, 8-byte aligned, offsets in bytes.
 */
public final class CommandEnvelope {
  /** Layouts of the envelope's fields, for segments that are 8-byte aligned. */
  public static final ValueLayout.OfShort U16 =
      ValueLayout.JAVA_SHORT.withOrder(ByteOrder.LITTLE_ENDIAN);

  public static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
  public static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** "ICMD". */
  public static final int MAGIC_VALUE = 0x444d4349;

  public static final short VERSION_VALUE = 1;

  public static final long MAGIC = 0;
  public static final long VERSION = 4;
  public static final long HEADER_SIZE = 6;
  public static final long TOTAL_LENGTH = 8;
  public static final long WAIT_COUNT = 12;
  public static final long BINDING_COUNT = 16;
  public static final long OP_COUNT = 20;
  public static final long TAG = 24;

  /** Size of the header; the first wait follows. */
  public static final int HEADER_BYTES = 64;

  private CommandEnvelope() {}

  /** Offset of the first binding. */
  public static long bindings(int waits) {
    return HEADER_BYTES + (long) waits * Wait.BYTES;
  }

  /** Offset of the first operation. */
  public static long ops(int waits, int bindings) {
    return bindings(waits) + (long) bindings * Binding.BYTES;
  }

  /** {@code isle_wait}. */
  public static final class Wait {
    public static final long TIMELINE = 0;
    public static final long POINT = 8;
    public static final int BYTES = 16;

    private Wait() {}
  }

  /** {@code isle_binding}: memory or a program, which operations name by index. */
  public static final class Binding {
    public static final long OBJECT = 0;
    public static final long OFFSET = 8;
    public static final long LENGTH = 16;
    public static final long ACCESS = 24;
    public static final int BYTES = 32;

    /** Bits of {@link #ACCESS}. */
    public static final int READ = 1;

    public static final int WRITE = 2;

    /** The binding names a program; offset and length are 0. */
    public static final int PROGRAM = 4;

    /** The device's copy is used as it is. */
    public static final int NO_COPY_IN = 8;

    /** What is written stays in the device's copy. */
    public static final int NO_COPY_BACK = 16;

    private Binding() {}
  }
}
