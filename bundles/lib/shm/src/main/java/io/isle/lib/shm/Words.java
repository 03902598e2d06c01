package io.isle.lib.shm;

import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Atomic access to words of shared memory. */
final class Words {
  static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final VarHandle INT = U32.varHandle();
  static final VarHandle LONG = U64.varHandle();

  private Words() {}
}
