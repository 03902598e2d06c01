package io.isle.core.drivers.nativecode.device;

import io.isle.api.base.Errno;
import io.isle.api.device.DisplayConnector;
import io.isle.api.device.DisplayMode;
import io.isle.api.device.DpmsState;
import io.isle.api.device.PixelFormat;
import io.isle.api.driver.Display;
import io.isle.api.driver.DriverException;
import io.isle.core.drivers.nativecode.control.ControlClient;
import io.isle.core.drivers.nativecode.control.Decoder;
import io.isle.core.drivers.nativecode.control.DisplayDecoder;
import io.isle.lib.kabi.CStruct;
import io.isle.lib.kabi.ControlOp;
import io.isle.lib.kabi.DisplayStructs;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** The display of a native device. */
final class NativeDisplay implements Display {
  private static final int MAX_CONNECTORS = 64;
  private static final int MAX_MODES = 256;
  private static final int EDID_BLOCK = 128;
  private static final int MAX_EDID = 32768;
  private static final ValueLayout.OfInt PIXEL =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final ControlClient control;

  NativeDisplay(ControlClient control) {
    this.control = control;
  }

  @Override
  public List<DisplayConnector> connectors() {
    List<DisplayConnector> all =
        list(
            ControlOp.CONNECTORS,
            control.call(ControlOp.CONNECTORS).body(),
            DisplayStructs.CONNECTOR_INFO,
            MAX_CONNECTORS,
            DisplayDecoder::connector);
    Set<Integer> ids = new HashSet<>();
    for (DisplayConnector connector : all) {
      if (!ids.add(connector.id())) {
        throw new DriverException(
            Errno.EPROTO, "the driver reported two connectors " + connector.id());
      }
    }
    return all;
  }

  @Override
  public List<DisplayMode> modes(int connector) {
    return list(
        ControlOp.MODES,
        control.call(ControlOp.MODES, connector).body(),
        DisplayStructs.MODE,
        MAX_MODES,
        DisplayDecoder::mode);
  }

  private static <T> List<T> list(
      ControlOp op, MemorySegment body, CStruct type, int most, Function<MemorySegment, T> decode) {
    long count = body.byteSize() / type.size();
    if (body.byteSize() % type.size() != 0 || count > most) {
      throw new DriverException(
          Errno.EPROTO, op + ": the driver host answered " + body.byteSize() + " bytes");
    }
    List<T> all = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      all.add(decode.apply(body.asSlice(i * type.size(), type.size())));
    }
    return List.copyOf(all);
  }

  @Override
  public void setMode(int connector, DisplayMode mode) {
    CStruct type = DisplayStructs.MODE_REQUEST;
    MemorySegment body = body(type, 0);
    type.set(body, "connector", connector);
    CStruct part = DisplayStructs.MODE;
    MemorySegment at = body.asSlice(type.offset("mode"), part.size());
    part.set(at, "width", mode.width());
    part.set(at, "height", mode.height());
    part.set(at, "refresh_millihz", mode.refreshMillihertz());
    part.set(at, "clock_khz", mode.clockKilohertz());
    part.set(at, "hfp", mode.hfp());
    part.set(at, "hsw", mode.hsw());
    part.set(at, "hbp", mode.hbp());
    part.set(at, "vfp", mode.vfp());
    part.set(at, "vsw", mode.vsw());
    part.set(at, "vbp", mode.vbp());
    part.set(at, "preferred", mode.preferred() ? 1 : 0);
    var ignored = control.call(ControlOp.SET_MODE, body);
  }

  @Override
  public void createFramebuffer(
      long framebuffer, long memory, int width, int height, PixelFormat format) {
    CStruct type = DisplayStructs.FRAMEBUFFER_REQUEST;
    MemorySegment body = body(type, 0);
    type.set(body, "memory", memory);
    type.set(body, "framebuffer", framebuffer);
    type.set(body, "width", width);
    type.set(body, "height", height);
    type.set(body, "format", format.code());
    var ignored = control.call(ControlOp.CREATE_FRAMEBUFFER, body);
  }

  @Override
  public long flip(int connector, long framebuffer) {
    CStruct type = DisplayStructs.FLIP_REQUEST;
    MemorySegment body = body(type, 0);
    type.set(body, "framebuffer", framebuffer);
    type.set(body, "connector", connector);
    long point = control.call(ControlOp.PAGE_FLIP, body).u64(ControlOp.PAGE_FLIP);
    if (point <= 0) {
      throw new DriverException(
          Errno.EPROTO, "the driver reported point = " + Long.toUnsignedString(point));
    }
    return point;
  }

  @Override
  public void setDpms(int connector, DpmsState state) {
    put(ControlOp.SET_DPMS, connector, state.ordinal());
  }

  @Override
  public boolean connected(int connector) {
    ControlOp op = ControlOp.HOTPLUG_STATUS;
    return Decoder.range("connected", control.call(op, connector).u32(op), 0, 1) == 1;
  }

  @Override
  public byte[] edid(int connector) {
    MemorySegment body = control.call(ControlOp.EDID, connector).body();
    if (body.byteSize() % EDID_BLOCK != 0 || body.byteSize() > MAX_EDID) {
      throw new DriverException(
          Errno.EPROTO, "the driver reported an EDID of " + body.byteSize() + " bytes");
    }
    return body.toArray(ValueLayout.JAVA_BYTE);
  }

  @Override
  public void setCursor(int connector, int width, int height, int x, int y, int[] argb) {
    if (width < 1
        || width > MAX_CURSOR
        || height < 1
        || height > MAX_CURSOR
        || argb.length != width * height) {
      throw new DriverException(
          Errno.EINVAL,
          "cursor: " + argb.length + " pixels for " + width + "x" + height + "; 1x1 to 64x64");
    }
    MemorySegment body = cursor(connector, width, height, x, y);
    MemorySegment.copy(
        MemorySegment.ofArray(argb),
        ValueLayout.JAVA_INT,
        0,
        body,
        PIXEL,
        DisplayStructs.CURSOR_REQUEST.size(),
        argb.length);
    var ignored = control.call(ControlOp.SET_CURSOR, body);
  }

  @Override
  public void hideCursor(int connector) {
    var ignored = control.call(ControlOp.SET_CURSOR, cursor(connector, 0, 0, 0, 0));
  }

  private static MemorySegment cursor(int connector, int width, int height, int x, int y) {
    CStruct type = DisplayStructs.CURSOR_REQUEST;
    MemorySegment body = body(type, 4L * width * height);
    type.set(body, "connector", connector);
    type.set(body, "width", width);
    type.set(body, "height", height);
    type.set(body, "x", x);
    type.set(body, "y", y);
    return body;
  }

  @Override
  public void setVariableRefresh(int connector, boolean enabled) {
    put(ControlOp.SET_VRR, connector, enabled ? 1 : 0);
  }

  private void put(ControlOp op, int connector, int value) {
    CStruct type = DisplayStructs.CONNECTOR_VALUE;
    MemorySegment body = body(type, 0);
    type.set(body, "connector", connector);
    type.set(body, "value", value);
    var ignored = control.call(op, body);
  }

  private static MemorySegment body(CStruct type, long more) {
    return MemorySegment.ofArray(new byte[Math.toIntExact(type.size() + more)]);
  }
}
