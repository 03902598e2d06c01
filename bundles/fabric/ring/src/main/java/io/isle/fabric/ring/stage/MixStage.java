package io.isle.fabric.ring.stage;

import io.isle.api.base.Errno;
import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingStage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.osgi.service.component.annotations.Component;

/**
 * The stage {@code mix}: a stand-in for a model whose result depends on each layer and on the order
 * of layers. Layer l makes each little-endian number w of 32 bits rotl(w ^ (0x9E3779B9 * (l + 1)),
 * l % 31 + 1).
 */
@Component(property = RingStage.NAME_PROPERTY + "=mix")
public final class MixStage implements RingStage {
  private static final int GOLDEN = 0x9E3779B9;
  private static final int ROTATIONS = 31;
  private static final ValueLayout.OfInt LE =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  @Override
  public Instance open(int payloadBytes) {
    if (payloadBytes % Integer.BYTES != 0) {
      throw new RingException(
          Errno.EINVAL,
          "packet_bytes: the stage mix needs a payload of whole numbers of 4 bytes, not "
              + payloadBytes
              + " bytes");
    }
    return new Mix();
  }

  /** The number after one layer. */
  static int layer(int word, int layer) {
    return Integer.rotateLeft(word ^ (GOLDEN * (layer + 1)), layer % ROTATIONS + 1);
  }

  private static final class Mix implements Instance {
    private LayerRange range = new LayerRange(0, 0, false);

    @Override
    public void process(int position, MemorySegment payload) {
      long end = payload.byteSize();
      for (int layer = range.start(); layer < range.end(); layer++) {
        for (long at = 0; at < end; at += Integer.BYTES) {
          payload.set(LE, at, MixStage.layer(payload.get(LE, at), layer));
        }
      }
    }

    @Override
    public void resize(LayerRange to) {
      range = to;
    }
  }
}
