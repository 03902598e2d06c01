package io.isle.apps.jobs;

import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.data.Npy;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** Arrays of f32 as files hold them. */
final class Numbers32 {
  private Numbers32() {}

  static byte[] raw(float... values) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    for (float value : values) {
      bytes.putFloat(value);
    }
    return bytes.array();
  }

  static byte[] npy(List<Long> shape, float... values) {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.writeBytes(Npy.header(ElementType.F32, shape));
    file.writeBytes(raw(values));
    return file.toByteArray();
  }

  /** Small whole numbers, of which sums and products are exact. */
  static float[] count(int elements) {
    float[] values = new float[elements];
    for (int i = 0; i < elements; i++) {
      values[i] = i % 7 - 3;
    }
    return values;
  }
}
