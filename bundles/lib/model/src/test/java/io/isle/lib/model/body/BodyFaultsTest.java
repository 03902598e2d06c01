package io.isle.lib.model.body;

import static io.isle.lib.model.body.Faults.assertFault;
import static io.isle.lib.model.body.Faults.with;
import static io.isle.lib.model.body.Faults.withByte;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.lib.model.ModelException;
import io.isle.lib.model.ModelFault;
import io.isle.lib.model.ModelRun;
import io.isle.lib.model.ModelType;
import io.isle.lib.model.engine.Forms;
import io.isle.lib.model.form.LinearForm;
import io.isle.lib.model.form.ModelForm;
import io.isle.lib.model.form.NetForm;
import io.isle.lib.model.form.NetForm.Activation;
import io.isle.lib.model.form.NetForm.Layer;
import io.isle.lib.model.form.TableForm;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Each field of tables, linear models and nets that the proof refuses, and random damage. */
final class BodyFaultsTest {
  private static final LinearForm LINEAR =
      new LinearForm(2, new int[] {7}, new int[] {1}, new int[] {8}, new short[] {1, -1});
  private static final TableForm TABLE =
      new TableForm(1, List.of(new TableForm.Axis(1, 2, 3, -5)), new int[4]);
  private static final NetForm NET =
      new NetForm(new int[2], new int[2], List.of(layer(2, 3, 0), layer(3, 1, 0)));

  private static Layer layer(int inputs, int outputs, int bias) {
    int[] all = new int[outputs];
    all[0] = bias;
    return new Layer(inputs, all, new byte[inputs * outputs], 1, 0, Activation.RELU, new byte[0]);
  }

  @Test
  void linearModels() {
    assertEquals(2, Faults.prove(LINEAR, 2).cost().products());
    assertFault(ModelFault.BAD_BODY, "output[0].shift", withByte(LINEAR, 8, 63), 2);
    assertFault(ModelFault.BAD_RESERVED, "output[0].reserved", withByte(LINEAR, 11, 1), 2);
    assertFault(ModelFault.TRUNCATED, "outputs", LINEAR, 3);
    assertFault(ModelFault.TRAILING_BYTES, "body", LINEAR, 1);
  }

  @Test
  void tables() {
    assertTrue(Faults.prove(TABLE, 2).cost().loads() > 0);
    assertFault(ModelFault.BAD_BODY, "axes", with(TABLE, 0, 0), 2);
    assertFault(ModelFault.TOO_BIG, "axes", with(TABLE, 0, 5), 2);
    assertFault(ModelFault.BAD_RESERVED, "reserved", with(TABLE, 4, 1), 2);
    assertFault(ModelFault.BAD_BODY, "axis[0].feature", TABLE, 1);
    assertFault(ModelFault.BAD_BODY, "axis[0].bits", withByte(TABLE, 10, 0), 2);
    assertFault(ModelFault.BAD_BODY, "axis[0].bits", withByte(TABLE, 10, 17), 2);
    assertFault(ModelFault.BAD_BODY, "axis[0].shift", withByte(TABLE, 11, 32), 2);
    assertFault(ModelFault.TRUNCATED, "cells", withByte(TABLE, 10, 3), 2);
    assertFault(ModelFault.TRAILING_BYTES, "body", withByte(TABLE, 10, 1), 2);
    TableForm.Axis wide = new TableForm.Axis(0, 16, 0, 0);
    TableForm.Axis narrower = new TableForm.Axis(0, 15, 0, 0);
    for (List<TableForm.Axis> axes :
        List.of(
            List.of(wide, narrower),
            List.of(wide, wide),
            List.of(wide, wide, wide),
            List.of(wide, wide, wide, narrower),
            List.of(wide, wide, wide, wide))) {
      assertFault(ModelFault.TOO_BIG, "axes", new TableForm(1, axes, new int[1]), 1);
    }
  }

  @Test
  void nets() {
    assertEquals(9, Faults.prove(NET, 2).cost().macs());
    assertFault(ModelFault.BAD_BODY, "layers", with(NET, 0, 0), 2);
    assertFault(ModelFault.TOO_BIG, "layers", with(NET, 0, 5), 2);
    assertFault(ModelFault.BAD_RESERVED, "reserved", with(NET, 4, 1), 2);
    assertFault(ModelFault.BAD_BODY, "feature[1].shift", withByte(NET, 20, 32), 2);
    assertFault(ModelFault.BAD_RESERVED, "feature[1].reserved", withByte(NET, 21, 1), 2);
    assertFault(ModelFault.BAD_BODY, "layer[0].inputs", withByte(NET, 24, 3), 2);
    assertFault(ModelFault.BAD_BODY, "layer[0].outputs", withByte(NET, 26, 0), 2);
    assertFault(ModelFault.TOO_BIG, "layer[0].outputs", with(NET, 24, 257 << 16 | 2), 2);
    assertFault(ModelFault.BAD_BODY, "layer[0].activation", withByte(NET, 28, 3), 2);
    assertFault(ModelFault.BAD_BODY, "layer[0].shift", withByte(NET, 29, 63), 2);
    assertFault(ModelFault.BAD_RESERVED, "layer[0].reserved", withByte(NET, 30, 1), 2);
    assertFault(ModelFault.BAD_BODY, "layer[0].multiplier", withByte(NET, 35, 0x80), 2);
    NetForm gap = new NetForm(new int[2], new int[2], List.of(layer(2, 3, 0), layer(2, 1, 0)));
    assertFault(ModelFault.BAD_BODY, "layer[1].inputs", gap, 2);
  }

  @Test
  void theLastLayerHasTheOutputs() {
    Faults.Body body = Faults.body(NET);
    assertFault(
        ModelFault.BAD_BODY, "layer[1].outputs", new Faults.Body(body.type(), 2, body.bytes()), 2);
  }

  @Test
  void netsOverTheLimitOfMultiplications() {
    List<Layer> layers =
        List.of(layer(256, 256, 0), layer(256, 256, 0), layer(256, 256, 0), layer(256, 256, 0));
    NetForm most = new NetForm(new int[256], new int[256], layers);
    assertEquals(NetForm.MOST_MACS, most.macs());
    assertEquals(NetForm.MOST_MACS, Faults.prove(most, 256).cost().macs());
  }

  @Test
  void sumsThatMayOverflow() {
    byte[] weights = {-128, 127};
    int room = Integer.MAX_VALUE - 128 * (128 + 127);
    assertEquals(2, Faults.prove(one(weights, room), 2).cost().macs());
    assertEquals(2, Faults.prove(one(weights, -room), 2).cost().macs());
    assertFault(ModelFault.OVERFLOW, "layer[0].bias[0]", one(weights, room + 1), 2);
    assertFault(ModelFault.OVERFLOW, "layer[0].bias[0]", one(weights, -room - 1), 2);
    assertFault(ModelFault.OVERFLOW, "layer[0].bias[0]", one(weights, Integer.MIN_VALUE), 2);
  }

  private static NetForm one(byte[] weights, int bias) {
    Layer layer = new Layer(2, new int[] {bias}, weights, 1, 0, Activation.NONE, new byte[0]);
    return new NetForm(new int[2], new int[2], List.of(layer));
  }

  @Property(tries = 200)
  void aCutBodyIsTooShort(@ForAll long seed, @ForAll @IntRange(max = 1000) int part) {
    ModelForm form = new Forms(new SplittableRandom(seed)).any(5, 3);
    int length = form.bytes().length * part / 1001;
    ModelException e =
        assertThrows(ModelException.class, () -> Faults.prove(Faults.cut(form, length), 5));
    assertEquals(ModelFault.TRUNCATED, e.fault(), e.getMessage());
  }

  @Property(tries = 500)
  void aDamagedBodyIsRefusedOrIsAnotherModel(
      @ForAll long seed, @ForAll int place, @ForAll byte value) {
    ModelForm form = new Forms(new SplittableRandom(seed)).any(5, 3);
    byte[] bytes = form.bytes();
    bytes[Math.floorMod(place, bytes.length)] = value;
    refusedOrProven(form.type(), bytes);
  }

  @Property(tries = 500)
  void anyBytesAreRefusedOrAreAModel(@ForAll byte[] bytes, @ForAll @IntRange(max = 3) int type) {
    refusedOrProven(ModelType.of(type).orElseThrow(), bytes);
  }

  private static void refusedOrProven(ModelType type, byte[] bytes) {
    ModelBody body;
    try {
      body = ModelBody.prove(type, ByteBuffer.wrap(bytes), 5, 3);
    } catch (ModelException e) {
      assertTrue(e.getMessage().startsWith(e.fault() + ": " + e.place()), e.getMessage());
      return;
    }
    int result =
        body.engine().run(new int[] {1, -1, 0, Integer.MAX_VALUE, 5}, new int[3], new ModelRun());
    assertTrue(result == 0 || result == 1);
  }
}
