package io.isle.lib.kabi;

import java.util.List;

/** Structures of the display interfaces and of their control messages. */
public final class DisplayStructs {
  public static final CStruct CONNECTOR_INFO =
      CStruct.named("AccelConnectorInfo")
          .u32("connector_id")
          .u16("connector_type")
          .u32("max_width", "max_height")
          .u8("connected", "active")
          .array("_pad", 1, 6)
          .build();

  public static final CStruct MODE =
      CStruct.named("AccelDisplayMode")
          .u32("width", "height", "refresh_millihz", "clock_khz")
          .u16("hfp", "hsw", "hbp", "vfp", "vsw", "vbp")
          .u8("preferred")
          .array("_pad", 1, 7)
          .build();

  public static final CStruct DISPLAY_VTABLE =
      CStruct.named("AccelDisplayVTable")
          .u64("vtable_size")
          .u32("version")
          .u64(
              "get_connectors",
              "get_modes",
              "set_mode",
              "create_framebuffer",
              "page_flip",
              "set_dpms_state",
              "get_hotplug_status",
              "read_edid",
              "set_cursor",
              "set_vrr_enabled")
          .build();

  public static final CStruct SCANOUT_STATUS =
      CStruct.named("isle_scanout_status")
          .u64("point", "flip_ns", "frames", "frame_ns", "next_ns")
          .struct("mode", MODE, 1)
          .u32("dpms", "vrr_min_millihz", "vrr_max_millihz", "hotplugs")
          .u8("connected", "vrr_enabled", "cursor", "pending")
          .array("_pad", 1, 8)
          .build();

  public static final CStruct SCANOUT_VTABLE =
      CStruct.named("isle_scanout_vtable")
          .u64("vtable_size")
          .u32("version", "_pad")
          .u64("status", "read")
          .build();

  public static final CStruct MODE_REQUEST =
      CStruct.named("isle_mode_request").u32("connector").struct("mode", MODE, 1).build();

  public static final CStruct FRAMEBUFFER_REQUEST =
      CStruct.named("isle_framebuffer_request")
          .u64("memory", "framebuffer")
          .u32("width", "height", "format", "_pad")
          .build();

  public static final CStruct FLIP_REQUEST =
      CStruct.named("isle_flip_request").u64("framebuffer").u32("connector", "_pad").build();

  public static final CStruct CONNECTOR_VALUE =
      CStruct.named("isle_connector_value").u32("connector", "value").build();

  public static final CStruct CURSOR_REQUEST =
      CStruct.named("isle_cursor_request")
          .u32("connector", "width", "height", "x", "y", "_pad")
          .build();

  public static final CStruct SCANOUT_REQUEST =
      CStruct.named("isle_scanout_request")
          .u32("connector", "first_line", "line_count", "_pad")
          .build();

  public static final CStruct SCANOUT_PART =
      CStruct.named("isle_scanout_part")
          .u64("point")
          .u32("width", "height", "first_line", "line_count")
          .build();

  private DisplayStructs() {}

  /** All of them. */
  public static List<CStruct> all() {
    return List.of(
        CONNECTOR_INFO,
        MODE,
        DISPLAY_VTABLE,
        SCANOUT_STATUS,
        SCANOUT_VTABLE,
        MODE_REQUEST,
        FRAMEBUFFER_REQUEST,
        FLIP_REQUEST,
        CONNECTOR_VALUE,
        CURSOR_REQUEST,
        SCANOUT_REQUEST,
        SCANOUT_PART);
  }
}
