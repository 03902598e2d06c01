package io.isle.fabric.ring.node;

import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.RingStage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A stage of another bundle: writes the process, and the class loader, into the payload. */
public final class ConfirmingStage implements RingStage {
  @Override
  public Instance open(int payloadBytes) {
    return new Instance() {
      @Override
      public void process(int position, MemorySegment payload) {
        payload.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, ProcessHandle.current().pid());
        boolean apart = ConfirmingStage.class.getClassLoader() != RingStage.class.getClassLoader();
        payload.set(ValueLayout.JAVA_BYTE, 8, (byte) (apart ? 1 : 0));
      }

      @Override
      public void resize(LayerRange range) {}
    };
  }
}
