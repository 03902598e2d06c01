package io.isle.api.driver;

/** Kinds of a kernel's arguments, with the numbers of the driver ABI: 1 to 9 in this order. */
public enum ArgumentKind {
  BUFFER,
  U32,
  I32,
  U64,
  I64,
  F32,
  F64,
  /** Local memory of a work-group. */
  LOCAL,
  /** A value of any other type: a vector, a structure, a scalar of 2 bytes without a kind. */
  BYTES;

  /** The number in the driver ABI. */
  public int code() {
    return ordinal() + 1;
  }

  /** Whether the kind is a number: {@link #U32} to {@link #F64}. */
  public boolean isScalar() {
    return this != BUFFER && this != LOCAL && this != BYTES;
  }
}
