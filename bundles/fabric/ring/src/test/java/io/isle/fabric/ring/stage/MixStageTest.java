package io.isle.fabric.ring.stage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingStage;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** The stage mix by numbers that were computed by hand. */
class MixStageTest {
  @Test
  void oneLayerXorsAndRotates() {
    assertEquals(Integer.rotateLeft(0x9E3779B9, 1), MixStage.layer(0, 0));
    assertEquals(Integer.rotateLeft(0x12345678 ^ 0x3C6EF372, 2), MixStage.layer(0x12345678, 1));
    assertEquals(Integer.rotateLeft(0xC6EF3720, 1), MixStage.layer(0, 31));
  }

  @Test
  void wordsAreLittleEndianAndLayersFollowEachOther() {
    byte[] bytes = {1, 0, 0, 0, 0, 0, 0, (byte) 0x80};
    try (RingStage.Instance mix = new MixStage().open(8)) {
      mix.resize(new LayerRange(2, 4, false));
      mix.process(0, MemorySegment.ofArray(bytes));
    }
    int first = MixStage.layer(MixStage.layer(1, 2), 3);
    int second = MixStage.layer(MixStage.layer(0x80000000, 2), 3);
    assertEquals((byte) first, bytes[0]);
    assertEquals((byte) (first >>> 24), bytes[3]);
    assertEquals((byte) second, bytes[4]);
    assertEquals((byte) (second >>> 24), bytes[7]);
  }

  @Test
  void aPayloadOfPartsOfNumbersIsRefused() {
    assertThrows(RingException.class, () -> new MixStage().open(9));
  }
}
