package io.isle.lib.model.body;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.lib.model.ModelException;
import io.isle.lib.model.ModelFault;
import io.isle.lib.model.ModelType;
import io.isle.lib.model.form.ModelForm;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Proves what a form becomes in a file. */
final class Faults {
  /** A body as bytes. */
  record Body(ModelType type, int outputs, byte[] bytes) {}

  private Faults() {}

  static Body body(ModelForm form) {
    return new Body(form.type(), form.outputs(), form.bytes());
  }

  /** The bytes of a form with another word in them. */
  static Body with(ModelForm form, int offset, int word) {
    Body body = body(form);
    ByteBuffer.wrap(body.bytes()).order(ByteOrder.LITTLE_ENDIAN).putInt(offset, word);
    return body;
  }

  /** The bytes of a form with another byte in them. */
  static Body withByte(ModelForm form, int offset, int value) {
    Body body = body(form);
    body.bytes()[offset] = (byte) value;
    return body;
  }

  static Body cut(ModelForm form, int length) {
    return new Body(form.type(), form.outputs(), Arrays.copyOf(form.bytes(), length));
  }

  static ModelBody prove(ModelForm form, int features) {
    return prove(body(form), features);
  }

  static ModelBody prove(Body body, int features) {
    return ModelBody.prove(body.type(), ByteBuffer.wrap(body.bytes()), features, body.outputs());
  }

  static void assertFault(ModelFault fault, String place, ModelForm form, int features) {
    assertFault(fault, place, body(form), features);
  }

  static void assertFault(ModelFault fault, String place, Body body, int features) {
    ModelException e = assertThrows(ModelException.class, () -> prove(body, features));
    assertEquals(fault, e.fault(), e.getMessage());
    assertEquals(place, e.place(), e.getMessage());
  }
}
