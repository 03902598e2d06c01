package io.isle.core.drivers.nativecode.device;

import io.isle.api.base.Errno;
import io.isle.api.device.DisplayMode;
import io.isle.api.device.ScanoutStatus;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.Scanout;
import io.isle.core.drivers.nativecode.control.ControlClient;
import io.isle.core.drivers.nativecode.control.Decoder;
import io.isle.core.drivers.nativecode.control.DisplayDecoder;
import io.isle.lib.kabi.CStruct;
import io.isle.lib.kabi.ControlOp;
import io.isle.lib.kabi.DisplayStructs;
import java.lang.foreign.MemorySegment;

/** What the screens of a native device show. */
final class NativeScanout implements Scanout {
  private final ControlClient control;

  NativeScanout(ControlClient control) {
    this.control = control;
  }

  @Override
  public ScanoutStatus status(int connector) {
    ControlOp op = ControlOp.SCANOUT_STATUS;
    return DisplayDecoder.status(control.call(op, connector).as(DisplayStructs.SCANOUT_STATUS, op));
  }

  @Override
  public Lines read(int connector, int firstLine, int lineCount) {
    CStruct type = DisplayStructs.SCANOUT_REQUEST;
    MemorySegment body = MemorySegment.ofArray(new byte[Math.toIntExact(type.size())]);
    type.set(body, "connector", connector);
    type.set(body, "first_line", firstLine);
    type.set(body, "line_count", lineCount);
    CStruct head = DisplayStructs.SCANOUT_PART;
    ControlOp op = ControlOp.SCANOUT_READ;
    MemorySegment reply = control.call(op, body).as(head, op);
    int width = Decoder.range("width", head.get(reply, "width"), 1, DisplayMode.MAX_SIDE);
    int height = Decoder.range("height", head.get(reply, "height"), 1, DisplayMode.MAX_SIDE);
    int first = Decoder.range("first_line", head.get(reply, "first_line"), firstLine, firstLine);
    int most = Math.min(lineCount, height - first);
    int count = Decoder.range("line_count", head.get(reply, "line_count"), 1, most);
    long bytes = 4L * count * width;
    if (reply.byteSize() != head.size() + bytes) {
      throw new DriverException(
          Errno.EPROTO, op + ": the driver host answered " + reply.byteSize() + " bytes");
    }
    return new Lines(
        Decoder.longRange("point", head.get(reply, "point"), 0, Long.MAX_VALUE),
        width,
        height,
        first,
        count,
        reply.asSlice(head.size(), bytes).asReadOnly());
  }
}
