package io.isle.api.accel;

import java.util.Locale;

/** Kinds of a kernel's arguments, in the order of the driver ABI. */
public enum ArgumentKind {
  /** A buffer: {@link CommandWriter#arg}. */
  BUFFER,
  /** An unsigned integer of 1, 2 or 4 bytes: {@link CommandWriter#argU32}. */
  U32,
  /** A signed integer of 1, 2 or 4 bytes: {@link CommandWriter#argI32}. */
  I32,
  /** An unsigned integer of 8 bytes: {@link CommandWriter#argU64}. */
  U64,
  /** A signed integer of 8 bytes: {@link CommandWriter#argI64}. */
  I64,
  /** A floating-point number of 4 bytes: {@link CommandWriter#argF32}. */
  F32,
  /** A floating-point number of 8 bytes: {@link CommandWriter#argF64}. */
  F64,
  /** Local memory of a work-group: {@link CommandWriter#argLocal}. */
  LOCAL,
  /** A value of any other type, such as a vector or a structure: {@link CommandWriter#argBytes}. */
  BYTES;

  /**
   * Lower case, as in {@link Program.Entry#arguments} and messages: {@code buffer}, {@code u32}.
   */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether the kind is a number: {@link #U32} to {@link #F64}. */
  public boolean isScalar() {
    return this != BUFFER && this != LOCAL && this != BYTES;
  }
}
