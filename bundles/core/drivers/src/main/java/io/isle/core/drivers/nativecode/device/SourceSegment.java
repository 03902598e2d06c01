package io.isle.core.drivers.nativecode.device;

import io.isle.core.drivers.nativecode.control.ControlClient;
import io.isle.core.drivers.nativecode.control.Lane;
import io.isle.core.drivers.nativecode.control.Segments;
import io.isle.lib.ffi.MemoryFile;
import io.isle.lib.kabi.ControlOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A program's source in a segment of its own, while a driver loads it. Control lane. */
final class SourceSegment implements AutoCloseable {
  private static final long PAGE = 4096;

  private final Lane lane;
  private final ControlClient control;
  private final Arena arena = Arena.ofShared();
  private boolean offered;

  /**
   * Gives it to the driver.
   *
   * @throws io.isle.api.driver.DriverException when the driver side refuses it
   */
  SourceSegment(Lane lane, ControlClient control, byte[] source) {
    this.lane = lane;
    this.control = control;
    try (MemoryFile file =
        MemoryFile.create("isle-source", (source.length + PAGE - 1) / PAGE * PAGE)) {
      MemorySegment memory = file.map(arena);
      MemorySegment.copy(source, 0, memory, ValueLayout.JAVA_BYTE, 0, source.length);
      file.seal(true);
      Segments.add(lane, control, Segments.SOURCE, file.descriptor(), memory, false);
      offered = true;
    } finally {
      if (!offered) {
        unmap();
      }
    }
  }

  /** Takes it from the driver. */
  @Override
  public void close() {
    try {
      if (lane.alive()) {
        var ignored =
            control.exchange(
                ControlOp.REMOVE_SEGMENT, Segments.number(Segments.SOURCE), ControlClient.BOUND_NS);
      }
    } finally {
      unmap();
    }
  }

  /** A driver of this process that was given up in the middle of a call may still read it. */
  private void unmap() {
    if (lane.alive() || lane.hostPid().isPresent()) {
      arena.close();
    }
  }
}
