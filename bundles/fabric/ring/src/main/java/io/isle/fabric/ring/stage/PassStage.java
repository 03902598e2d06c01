package io.isle.fabric.ring.stage;

import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.RingStage;
import java.lang.foreign.MemorySegment;
import org.osgi.service.component.annotations.Component;

/** The stage {@code pass}: leaves payloads unchanged. */
@Component(property = RingStage.NAME_PROPERTY + "=pass")
public final class PassStage implements RingStage {
  @Override
  public Instance open(int payloadBytes) {
    return new Pass();
  }

  private static final class Pass implements Instance {
    @Override
    public void process(int position, MemorySegment payload) {}

    @Override
    public void resize(LayerRange range) {}
  }
}
