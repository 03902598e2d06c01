package io.isle.benchmarks.inference;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes the fields of a protobuf message. */
final class ProtoWriter {
  private static final int VARINT = 0;
  private static final int BYTES = 2;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private ProtoWriter varint(long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      out.write((int) (rest & 0x7F | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
    return this;
  }

  ProtoWriter number(int field, long value) {
    return varint((long) field << 3 | VARINT).varint(value);
  }

  ProtoWriter bytes(int field, byte[] value) {
    varint((long) field << 3 | BYTES).varint(value.length);
    out.writeBytes(value);
    return this;
  }

  ProtoWriter text(int field, String value) {
    return bytes(field, value.getBytes(StandardCharsets.UTF_8));
  }

  ProtoWriter message(int field, ProtoWriter value) {
    return bytes(field, value.out.toByteArray());
  }

  byte[] toBytes() {
    return out.toByteArray();
  }
}
