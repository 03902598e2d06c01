package io.isle.lib.kabi;

/**
 * Operations of a command envelope: {@code isle_op} and the structures that begin with it. Offsets
 * in bytes from the begin of the operation.
 */
public final class CommandOp {
  public static final short COPY = 1;
  public static final short FILL = 2;
  public static final short DISPATCH = 3;
  public static final short VENDOR = 4;
  public static final short LAUNCH = 5;

  /** 16 bits: one of the operation codes. */
  public static final long CODE = 0;

  /** 16 bits: 0. */
  public static final long FLAGS = 2;

  /** 32 bits: size of the whole operation in bytes, a multiple of 8. */
  public static final long LENGTH = 4;

  /** Bytes of {@code isle_op} alone, the shortest operation. */
  public static final int BYTES = 8;

  private CommandOp() {}

  /** {@code isle_op_copy}. */
  public static final class Copy {
    public static final long DST = 8;
    public static final long SRC = 12;
    public static final long DST_OFFSET = 16;
    public static final long SRC_OFFSET = 24;
    public static final long COUNT = 32;
    public static final int BYTES = 40;

    private Copy() {}
  }

  /** {@code isle_op_fill}. */
  public static final class Fill {
    public static final long DST = 8;
    public static final long PATTERN = 12;
    public static final long OFFSET = 16;
    public static final long COUNT = 24;
    public static final int BYTES = 32;

    private Fill() {}
  }

  /** {@code isle_op_dispatch}; its arguments follow. */
  public static final class Dispatch {
    public static final long PROGRAM = 8;
    public static final long ENTRY = 12;
    public static final long X = 16;
    public static final long Y = 20;
    public static final long Z = 24;
    public static final long ARG_COUNT = 28;
    public static final long ARGS = 32;

    /** Bytes without arguments. */
    public static final int BYTES = 32;

    /** Largest number of arguments of an entry. */
    public static final int MAX_ARGS = 16;

    private Dispatch() {}
  }

  /** {@code isle_op_launch}; its arguments follow, and its tail behind them. */
  public static final class Launch {
    public static final long PROGRAM = 8;
    public static final long ENTRY = 12;
    public static final long DIMENSIONS = 16;
    public static final long ARG_COUNT = 20;
    public static final long TAIL_BYTES = 24;

    /** Three of 64 bits. */
    public static final long SIZE = 32;

    /** Three of 64 bits. */
    public static final long OFFSET = 56;

    /** Three of 32 bits. */
    public static final long LOCAL = 80;

    public static final long ARGS = 96;

    /** Bytes without arguments and tail. */
    public static final int BYTES = 96;

    /** Most arguments of a kernel. */
    public static final int MAX_ARGS = 64;

    /** Most bytes of the tail. */
    public static final int MAX_TAIL = 1024;

    private Launch() {}
  }

  /** {@code isle_arg}. */
  public static final class Arg {
    public static final int BUFFER = 1;
    public static final int U32 = 2;
    public static final int I32 = 3;
    public static final int U64 = 4;
    public static final int I64 = 5;
    public static final int F32 = 6;
    public static final int F64 = 7;

    /** Of a launch: local memory, {@link #VALUE} bytes. */
    public static final int LOCAL = 8;

    /** Of a launch: {@link #VALUE} bytes of the tail from {@link #BINDING} on. */
    public static final int BYTES_OF_TAIL = 9;

    public static final long KIND = 0;
    public static final long BINDING = 4;
    public static final long VALUE = 8;
    public static final int BYTES = 16;

    private Arg() {}
  }
}
