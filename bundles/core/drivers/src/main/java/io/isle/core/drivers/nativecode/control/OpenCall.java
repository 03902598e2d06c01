package io.isle.core.drivers.nativecode.control;

import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.lib.kabi.CStruct;
import io.isle.lib.kabi.ControlOp;
import io.isle.lib.kabi.KabiStructs;
import io.isle.lib.kabi.WireStructs;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** Opens a native device: seed and settings go over, info and interfaces come back. */
public final class OpenCall {
  private OpenCall() {}

  public static Negotiation open(ControlClient control, DeviceSpec spec) {
    byte[] values = values(spec.settings());
    CStruct type = WireStructs.OPEN_REQUEST;
    CStruct seed = KabiStructs.DEVICE_SEED;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment body = arena.allocate(type.size() + values.length, 8);
      seed.setText(body, "name", spec.seed().name());
      seed.setText(body, "parent", spec.seed().parent());
      seed.setText(body, "summary", spec.seed().summary());
      type.set(body, "value_count", spec.settings().size());
      MemorySegment.copy(values, 0, body, ValueLayout.JAVA_BYTE, type.size(), values.length);
      return Negotiation.of(
          control.call(ControlOp.OPEN, body).as(WireStructs.OPEN_RESPONSE, ControlOp.OPEN));
    }
  }

  private static byte[] values(Map<String, String> settings) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new TreeMap<>(settings)
        .forEach(
            (key, value) -> {
              byte[] keyBytes = key.getBytes(StandardCharsets.UTF_8);
              byte[] valueBytes = value.getBytes(StandardCharsets.UTF_8);
              u16(out, keyBytes.length);
              u16(out, valueBytes.length);
              out.writeBytes(keyBytes);
              out.writeBytes(valueBytes);
            });
    return out.toByteArray();
  }

  private static void u16(ByteArrayOutputStream out, int value) {
    out.write(value);
    out.write(value >>> 8);
  }
}
