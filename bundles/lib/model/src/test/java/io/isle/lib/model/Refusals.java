package io.isle.lib.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;

/** Files that a proof must refuse. */
final class Refusals {
  private Refusals() {}

  static ModelException refused(ModelFault fault, byte[] file, ProofSettings settings) {
    ModelException e = assertThrows(ModelException.class, () -> Samples.prove(file, settings));
    assertEquals(fault, e.fault(), e.getMessage());
    assertEquals(fault.code(), e.code());
    assertTrue(e.getMessage().startsWith(fault + ": " + e.place() + ": "), e.getMessage());
    return e;
  }

  static void refused(ModelFault fault, String place, byte[] file) {
    assertEquals(place, refused(fault, file, Samples.settings(Samples.KEY)).place());
  }

  /** The same without a new hash, of what is checked before the hash or not covered by it. */
  static void raw(ModelFault fault, String place, Consumer<ByteBuffer> change) {
    byte[] file = Samples.SIGNED.clone();
    change.accept(ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN));
    refused(fault, place, file);
  }

  static void refused(ModelFault fault, String place, Consumer<ByteBuffer> change) {
    refused(fault, place, Samples.changed(change));
  }
}
