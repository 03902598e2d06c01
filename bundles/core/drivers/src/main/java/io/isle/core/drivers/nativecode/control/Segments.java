package io.isle.core.drivers.nativecode.control;

import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DriverException;
import io.isle.lib.kabi.CStruct;
import io.isle.lib.kabi.ControlOp;
import io.isle.lib.kabi.WireStructs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Hands segments to a driver. */
public final class Segments {
  /** Command envelopes; the driver only reads them. */
  public static final int COMMANDS = 1;

  /** The bell of this one process. */
  static final int DOORBELL = 2;

  /** Source of the program that is being loaded; the driver only reads it. */
  public static final int SOURCE = 3;

  /** Whether the device's agent sleeps; the driver only reads it. */
  public static final int AGENT = 4;

  private Segments() {}

  /**
   * Passes a segment and tells its number.
   *
   * @throws DriverException when the driver side refuses it
   */
  public static void add(
      Lane lane,
      ControlClient control,
      int segment,
      int descriptor,
      MemorySegment memory,
      boolean writable) {
    lane.offerSegment(segment, descriptor, memory, writable);
    if (lane.hostPid().isEmpty()) {
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      CStruct type = WireStructs.SEGMENT_REQUEST;
      MemorySegment body = arena.allocate(type.size(), 8);
      type.set(body, "segment", segment);
      type.set(body, "writable", writable ? 1 : 0);
      type.set(body, "size", memory.byteSize());
      var ignored = control.call(ControlOp.ADD_SEGMENT, body);
    }
  }

  /**
   * Passes the memory that the core shares with every driver of the device, and a bell of its own.
   */
  public static void offer(Lane lane, ControlClient control, CoreConnection connection) {
    DevicePort.Bell bell = connection.bells().get();
    lane.rings(bell);
    add(lane, control, COMMANDS, connection.commands(), false);
    add(lane, control, DOORBELL, bell.page(), true);
    add(lane, control, AGENT, connection.agent(), false);
  }

  private static void add(
      Lane lane, ControlClient control, int segment, DevicePort.Shared shared, boolean writable) {
    add(lane, control, segment, shared.descriptor(), shared.memory(), writable);
  }

  public static MemorySegment number(long id) {
    MemorySegment memory = MemorySegment.ofArray(new byte[8]);
    memory.set(ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), 0, id);
    return memory;
  }

  public static MemorySegment number(int segment) {
    byte[] bytes = new byte[4];
    MemorySegment memory = MemorySegment.ofArray(bytes);
    memory.set(ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), 0, segment);
    return memory;
  }
}
