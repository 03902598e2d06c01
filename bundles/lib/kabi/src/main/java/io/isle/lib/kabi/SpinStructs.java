package io.isle.lib.kabi;

import java.util.List;

/**
 * What NIC and HPUs share ({@code isle_spin.h}), and the structures of the interface {@code hpu}.
 * Constants have the header's numbers, without its prefix.
 */
public final class SpinStructs {
  /** "SPIN". */
  public static final int MAGIC = 0x4e495053;

  public static final int VERSION = 1;
  public static final int CLUSTERS = 2;
  public static final int CORES = 8;
  public static final int HPUS = 16;
  public static final int QUEUES = 16;

  /** Bytes of the longest frame. */
  public static final int FRAME = 1536;

  /** Sent frames of an HPU that the NIC has not taken yet. */
  public static final int SENDS = 16;

  public static final int TEXT = 65536;
  public static final int PAGE = 4096;

  /** Address of the first host page, for handlers. */
  public static final long HOST = 0x1_0000_0000L;

  public static final int HANDLER_HEADER = 0;
  public static final int HANDLER_PACKET = 1;
  public static final int HANDLER_TAIL = 2;

  public static final int RESULT_DONE = 0;
  public static final int RESULT_TRAPPED = 1;
  public static final int RESULT_REFUSED = 2;

  public static final int CAUSE_ACCESS = 1;
  public static final int CAUSE_BUS = 2;
  public static final int CAUSE_ARITHMETIC = 3;
  public static final int CAUSE_ILLEGAL = 4;
  public static final int CAUSE_BREAK = 5;
  public static final int CAUSE_CPU_TIME = 6;
  public static final int CAUSE_WALL_TIME = 7;
  public static final int CAUSE_HOST_TIME = 8;
  public static final int CAUSE_EXIT = 9;
  public static final int CAUSE_STOPPED = 10;

  public static final CStruct TASK =
      CStruct.named("isle_spin_task")
          .u32("posted", "handler", "queue", "home_cluster", "offset", "length")
          .array("_pad", 1, 40)
          .build();

  public static final CStruct END =
      CStruct.named("isle_spin_end")
          .u32("ended", "result", "cause", "waiting", "sleeping", "instruction")
          .u64("address", "start_ns", "end_ns")
          .array("_pad", 1, 16)
          .build();

  public static final CStruct SENT_FRAME =
      CStruct.named("isle_spin_frame").u32("length", "_pad").array("bytes", 1, FRAME).build();

  public static final CStruct HPU =
      CStruct.named("isle_spin_hpu")
          .struct("task", TASK, 1)
          .struct("end", END, 1)
          .u32("sent")
          .array("_pad", 1, 60)
          .u32("taken")
          .array("_pad2", 1, 60)
          .struct("sends", SENT_FRAME, SENDS)
          .build();

  public static final CStruct COUNTERS =
      CStruct.named("isle_spin_counters")
          .u64("tasks", "traps", "refused", "sends", "sent_bytes", "to_host", "from_host")
          .u64("host_requests", "failed", "text_lost")
          .array("_pad", 1, 48)
          .build();

  public static final CStruct RINGS =
      CStruct.named("isle_spin_rings")
          .u32("magic", "version", "size", "stopped")
          .array("_pad", 1, 48)
          .struct("counters", COUNTERS, 1)
          .u64("text_written")
          .array("_pad2", 1, 56)
          .u64("text_taken")
          .array("_pad3", 1, 56)
          .struct("hpus", HPU, HPUS)
          .array("text", 1, TEXT)
          .build();

  /** A counter of handlers in {@link #HOST_DATA}. */
  public static final CStruct HOST_COUNTER =
      CStruct.named("isle_spin_host_counter").u32("sum", "count").build();

  public static final CStruct HOST_DATA =
      CStruct.named("isle_spin_host_data")
          .array("flags", 8, HPUS)
          .struct("counters", HOST_COUNTER, 16)
          .build();

  public static final CStruct HPU_CAPS =
      CStruct.named("isle_hpu_caps")
          .u32("version", "clusters", "cores", "queues")
          .u64("program_bytes")
          .u32("frame_bytes", "hpu_mhz")
          .u32("handler_limit_us", "host_wait_ms", "trap_limit", "hpu_spin_us")
          .build();

  public static final CStruct HPU_LIMITS =
      CStruct.named("isle_hpu_limits")
          .u32("handler_limit_us", "host_wait_ms", "trap_limit", "hpu_spin_us")
          .build();

  public static final CStruct HPU_REPORT =
      CStruct.named("isle_hpu_report")
          .u32("attached", "handlers", "stopped", "cause", "handler", "hpu", "instruction", "_pad")
          .u64("address", "tasks", "traps", "refused")
          .build();

  public static final CStruct ATTACH_REQUEST =
      CStruct.named("isle_hpu_attach_request")
          .u64("context", "program")
          .array("memories", 8, 6)
          .struct("limits", HPU_LIMITS, 1)
          .build();

  private SpinStructs() {}

  /** All that C has a name for. */
  public static List<CStruct> all() {
    return List.of(
        TASK,
        END,
        SENT_FRAME,
        HPU,
        COUNTERS,
        RINGS,
        HOST_DATA,
        HPU_CAPS,
        HPU_LIMITS,
        HPU_REPORT,
        ATTACH_REQUEST);
  }
}
