package io.isle.core.drivers.nativecode.control;

import io.isle.api.base.Errno;
import io.isle.api.device.DisplayConnector;
import io.isle.api.device.DisplayMode;
import io.isle.api.device.DpmsState;
import io.isle.api.device.ScanoutStatus;
import io.isle.api.driver.DriverException;
import io.isle.lib.kabi.CStruct;
import io.isle.lib.kabi.DisplayStructs;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** As {@link Decoder}, for displays. */
public final class DisplayDecoder {
  private static final int MAX_MILLIHERTZ = 1_000_000;

  private DisplayDecoder() {}

  public static DisplayConnector connector(MemorySegment memory) {
    CStruct type = DisplayStructs.CONNECTOR_INFO;
    int kind = type.getInt(memory, "connector_type");
    return new DisplayConnector(
        Decoder.range("connector_id", type.get(memory, "connector_id"), 0, Integer.MAX_VALUE),
        DisplayConnector.Type.of(kind)
            .orElseThrow(
                () ->
                    new DriverException(
                        Errno.EPROTO, "the driver reported connector_type = " + kind)),
        Decoder.range("max_width", type.get(memory, "max_width"), 0, DisplayMode.MAX_SIDE),
        Decoder.range("max_height", type.get(memory, "max_height"), 0, DisplayMode.MAX_SIDE),
        flag(type, memory, "connected"),
        flag(type, memory, "active"));
  }

  public static DisplayMode mode(MemorySegment memory) {
    CStruct type = DisplayStructs.MODE;
    return new DisplayMode(
        Decoder.range("width", type.get(memory, "width"), 1, DisplayMode.MAX_SIDE),
        Decoder.range("height", type.get(memory, "height"), 1, DisplayMode.MAX_SIDE),
        Decoder.range("refresh_millihz", type.get(memory, "refresh_millihz"), 1, MAX_MILLIHERTZ),
        Decoder.range("clock_khz", type.get(memory, "clock_khz"), 1, Integer.MAX_VALUE),
        type.getInt(memory, "hfp"),
        type.getInt(memory, "hsw"),
        type.getInt(memory, "hbp"),
        type.getInt(memory, "vfp"),
        type.getInt(memory, "vsw"),
        type.getInt(memory, "vbp"),
        flag(type, memory, "preferred"));
  }

  public static ScanoutStatus status(MemorySegment memory) {
    CStruct type = DisplayStructs.SCANOUT_STATUS;
    MemorySegment mode = memory.asSlice(type.offset("mode"), DisplayStructs.MODE.size());
    boolean set = DisplayStructs.MODE.get(mode, "width") != 0;
    int dpms = type.getInt(memory, "dpms");
    int most = Decoder.range("vrr_max_millihz", type.get(memory, "vrr_max_millihz"), 0, 1 << 30);
    return new ScanoutStatus(
        positive(type, memory, "point"),
        positive(type, memory, "flip_ns"),
        positive(type, memory, "frames"),
        positive(type, memory, "frame_ns"),
        positive(type, memory, "next_ns"),
        set ? Optional.of(mode(mode)) : Optional.empty(),
        DpmsState.of(dpms)
            .orElseThrow(
                () -> new DriverException(Errno.EPROTO, "the driver reported dpms = " + dpms)),
        Decoder.range("vrr_min_millihz", type.get(memory, "vrr_min_millihz"), 0, most),
        most,
        Decoder.range("hotplugs", type.get(memory, "hotplugs"), 0, Integer.MAX_VALUE),
        flag(type, memory, "connected"),
        flag(type, memory, "vrr_enabled"),
        flag(type, memory, "cursor"),
        flag(type, memory, "pending"));
  }

  private static long positive(CStruct type, MemorySegment memory, String field) {
    long value = type.get(memory, field);
    if (value < 0) {
      throw new DriverException(
          Errno.EPROTO, "the driver reported " + field + " = " + Long.toUnsignedString(value));
    }
    return value;
  }

  private static boolean flag(CStruct type, MemorySegment memory, String field) {
    return Decoder.range(field, type.get(memory, field), 0, 1) == 1;
  }
}
