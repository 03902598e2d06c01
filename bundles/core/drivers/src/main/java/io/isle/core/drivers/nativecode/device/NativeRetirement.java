package io.isle.core.drivers.nativecode.device;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.PageRetirement;
import io.isle.core.drivers.nativecode.control.ControlClient;
import io.isle.core.drivers.nativecode.control.Decoder;
import io.isle.core.drivers.nativecode.control.Segments;
import io.isle.lib.kabi.CStruct;
import io.isle.lib.kabi.ControlOp;
import io.isle.lib.kabi.WireStructs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Faulty pages of a native device. */
final class NativeRetirement implements PageRetirement {
  private static final int MAX_RANGES = 1024;
  private static final int PAGE = 4096;

  private final ControlClient control;

  NativeRetirement(ControlClient control) {
    this.control = control;
  }

  @Override
  public List<Range> faulty() {
    List<Range> ranges = new ArrayList<>();
    for (int i = 0; i < MAX_RANGES; i++) {
      ControlClient.Reply reply =
          control.exchange(ControlOp.FAULTY_PAGE, Segments.number(i), ControlClient.BOUND_NS);
      if (reply.result() == -Errno.ENOENT) {
        break;
      }
      if (reply.result() < 0) {
        throw ControlClient.refused(ControlOp.FAULTY_PAGE, reply.result(), "");
      }
      ranges.add(range(reply.as(WireStructs.PAGE_RANGE, ControlOp.FAULTY_PAGE)));
    }
    return ranges;
  }

  private static Range range(MemorySegment memory) {
    CStruct type = WireStructs.PAGE_RANGE;
    Range range =
        new Range(
            type.get(memory, "memory"), type.get(memory, "offset"), type.get(memory, "length"));
    if (range.offset() < 0
        || range.offset() % PAGE != 0
        || range.length() <= 0
        || range.offset() + range.length() < 0) {
      throw new DriverException(Errno.EPROTO, "the driver reported the faulty " + range);
    }
    return range;
  }

  @Override
  public void retire(Range range) {
    try (Arena arena = Arena.ofConfined()) {
      CStruct type = WireStructs.PAGE_RANGE;
      MemorySegment body = arena.allocate(type.size(), 8);
      type.set(body, "memory", range.memory());
      type.set(body, "offset", range.offset());
      type.set(body, "length", range.length());
      var ignored = control.call(ControlOp.RETIRE_PAGES, body);
    }
  }

  @Override
  public long retiredPages() {
    ControlOp op = ControlOp.RETIRED_PAGES;
    return Decoder.longRange("retired pages", control.call(op).u64(op), 0, Decoder.MAX_COUNT);
  }
}
