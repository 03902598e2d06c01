package io.isle.lib.kabi;

import java.util.List;

/** Structures of {@code isle_wire.h}: control messages between core and driver runtime. */
public final class WireStructs {
  public static final CStruct CONTROL_REQUEST =
      CStruct.named("isle_control_request").u64("seq").u32("op", "length").build();

  public static final CStruct CONTROL_RESPONSE =
      CStruct.named("isle_control_response").u64("seq").u32("result", "length").build();

  public static final CStruct HELLO =
      CStruct.named("isle_hello")
          .u32("kabi_version", "flags")
          .text("name", 16)
          .text("version", 48)
          .u32("setting_count", "_pad")
          .build();

  public static final CStruct SETTING_TEXT =
      CStruct.named("isle_setting_text")
          .text("key", 64)
          .u32("type", "_pad")
          .u64("min", "max")
          .text("choices", 128)
          .text("default_value", 64)
          .text("help", 160)
          .build();

  public static final CStruct OPEN_REQUEST =
      CStruct.named("isle_open_request")
          .struct("seed", KabiStructs.DEVICE_SEED, 1)
          .u32("value_count", "_pad")
          .build();

  public static final CStruct NEGOTIATED =
      CStruct.named("isle_negotiated")
          .u32("interface_id", "version")
          .u64("vtable_size", "entries")
          .build();

  public static final CStruct OPEN_RESPONSE =
      CStruct.named("isle_open_response")
          .struct("info", KabiStructs.DEVICE_INFO, 1)
          .u32("interface_count", "completion_mode", "program_kinds", "execution")
          .struct("interfaces", NEGOTIATED, 16)
          .build();

  public static final CStruct SEGMENT_REQUEST =
      CStruct.named("isle_segment_request").u32("segment", "writable").u64("size").build();

  public static final CStruct CREATE_CONTEXT =
      CStruct.named("isle_create_context")
          .u64("context")
          .u32("owner_pid", "priority")
          .struct("limits", KabiStructs.CONTEXT_LIMITS, 1)
          .u32("heap_segment", "_pad")
          .build();

  public static final CStruct ALLOC_REQUEST =
      CStruct.named("isle_alloc_request")
          .u64("context", "memory", "size", "alignment")
          .u32("page_size", "flags")
          .build();

  public static final CStruct ALLOC_RESPONSE =
      CStruct.named("isle_alloc_response").u32("segment", "_pad").u64("offset", "size").build();

  public static final CStruct LOAD_REQUEST =
      CStruct.named("isle_load_request")
          .u64("context", "program")
          .u32("kind", "length", "options_length", "segment")
          .build();

  /** ISLE_SOURCE_MAX: longest source of a program in bytes. */
  public static final int SOURCE_MAX = 1 << 20;

  /** ISLE_OPTIONS_MAX: longest build options in bytes. */
  public static final int OPTIONS_MAX = 4096;

  public static final CStruct FILES_REQUEST =
      CStruct.named("isle_files_request")
          .u64("context", "program")
          .u32("file_count", "header_count", "options_length", "length", "segment", "_pad")
          .build();

  public static final CStruct FILE_ENTRY =
      CStruct.named("isle_file_entry").u32("name_length", "text_length").build();

  /** ISLE_SOURCE_FILES: most files of a program. */
  public static final int SOURCE_FILES = 64;

  /** ISLE_FILE_MAX: longest file in bytes. */
  public static final int FILE_MAX = 1 << 20;

  /** ISLE_FILES_MAX: most bytes of all files of a program. */
  public static final int FILES_MAX = 4 << 20;

  /** ISLE_FILE_NAME: longest name of a file in bytes. */
  public static final int FILE_NAME_MAX = 255;

  public static final CStruct LOAD_RESPONSE =
      CStruct.named("isle_load_response").u32("log_length", "_pad").build();

  public static final CStruct DESCRIBE_REQUEST =
      CStruct.named("isle_describe_request").u64("program").u32("entry", "_pad").build();

  public static final CStruct INJECT_REQUEST =
      CStruct.named("isle_inject_request")
          .u32("fault", "_pad")
          .u64("after", "count", "value")
          .build();

  public static final CStruct PAGE_RANGE =
      CStruct.named("isle_page_range").u64("memory", "offset", "length").build();

  public static final CStruct MIGRATE_REQUEST =
      CStruct.named("isle_migrate_request").u64("context").u32("count", "flags").build();

  public static final CStruct PAGE = CStruct.named("isle_page").u64("memory", "offset").build();

  private WireStructs() {}

  /** All of them. */
  public static List<CStruct> all() {
    return List.of(
        CONTROL_REQUEST,
        CONTROL_RESPONSE,
        HELLO,
        SETTING_TEXT,
        OPEN_REQUEST,
        NEGOTIATED,
        OPEN_RESPONSE,
        SEGMENT_REQUEST,
        CREATE_CONTEXT,
        ALLOC_REQUEST,
        ALLOC_RESPONSE,
        LOAD_REQUEST,
        FILES_REQUEST,
        FILE_ENTRY,
        LOAD_RESPONSE,
        DESCRIBE_REQUEST,
        INJECT_REQUEST,
        PAGE_RANGE,
        MIGRATE_REQUEST,
        PAGE);
  }
}
