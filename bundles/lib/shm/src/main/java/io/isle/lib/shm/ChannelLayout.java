package io.isle.lib.shm;

/**
 * Layout of a channel segment, {@code isle_channel_header} and what follows it. Offsets in bytes,
 * little-endian; each group of words that one side writes has 128 bytes of its own.
 */
public final class ChannelLayout {
  public static final long MAGIC_VALUE = 0x4c4e4843454c5349L;
  public static final int ABI_VALUE = 5;

  public static final long MAGIC = 0;
  public static final long ABI = 8;
  public static final long EPOCH = 12;
  public static final long TOTAL_SIZE = 16;
  public static final long REQUEST_CAPACITY = 24;
  public static final long COMPLETION_CAPACITY = 28;
  public static final long MAX_INFLIGHT = 32;
  public static final long SPIN_US = 36;
  public static final long REQUEST_OFFSET = 40;
  public static final long COMPLETION_OFFSET = 48;
  public static final long CONTROL_REQUEST_OFFSET = 56;
  public static final long CONTROL_RESPONSE_OFFSET = 64;
  public static final long CRASH_OFFSET = 72;
  public static final long STARTED_OFFSET = 80;

  public static final long HOST_STATE = 128;
  public static final long HOST_PID = 132;
  public static final long HEARTBEAT = 136;
  public static final long REQUESTS_TAKEN = 144;
  public static final long VIOLATIONS = 152;

  public static final long DATA_BELL = 256;
  public static final long CONTROL_BELL = 384;
  public static final long CONTROL_SEQ = 392;
  public static final long CONTROL_LENGTH = 400;
  public static final long REPLY_BELL = 512;
  public static final long REPLY_SEQ = 520;
  public static final long REPLY_LENGTH = 528;
  public static final long COMPLETION_TAIL = 640;
  public static final long LOG_LINES = 768;
  public static final long LOG = 896;

  public static final int HEADER_BYTES = 4096;
  public static final int SLOT_BYTES = 64;
  public static final int CONTROL_BYTES = 65536;
  public static final int CRASH_BYTES = 4096;

  /** Most frames that are read from a crash record. */
  public static final int CRASH_FRAMES = 16;

  public static final int STARTED_BYTES = 16;

  /** Lines of a driver that the header holds, their size, and that of a line's text. */
  public static final int LOG_COUNT = 4;

  public static final int LOG_BYTES = 512;
  public static final int LOG_TEXT = 488;

  /** States of a host in {@link #HOST_STATE}. */
  public static final int STARTING = 0;

  public static final int READY = 1;
  public static final int CLOSED = 2;
  public static final int CRASHED = 3;

  private ChannelLayout() {}

  /** {@code isle_request}. */
  public static final class Request {
    public static final long SEQ = 0;
    public static final long TAG = 8;
    public static final long CONTEXT = 16;
    public static final long OFFSET = 24;
    public static final long LENGTH = 32;
    public static final long KIND = 36;
    public static final long REASON = 40;
    public static final long SEEN = 48;

    public static final int SUBMIT = 1;
    public static final int PREEMPT = 2;

    private Request() {}
  }

  /** {@code isle_started}. */
  public static final class Started {
    public static final long TAG = 0;
    public static final long START_NS = 8;

    private Started() {}
  }

  /** {@code isle_log_line}. */
  public static final class LogLine {
    public static final long SEQ = 0;
    public static final long NS = 8;
    public static final long LEVEL = 16;
    public static final long LENGTH = 20;
    public static final long TEXT = 24;

    private LogLine() {}
  }

  /** {@code isle_doorbell}, a segment of its own. */
  public static final class Bell {
    public static final long BELL = 0;
    public static final int SEGMENT_BYTES = 4096;

    private Bell() {}
  }

  /** {@code isle_agent}, a segment of its own. */
  public static final class AgentPage {
    public static final long SLEEPING = 0;
    public static final int SEGMENT_BYTES = 4096;

    private AgentPage() {}
  }

  /** {@code isle_completion_slot}. */
  public static final class Completion {
    public static final long SEQ = 0;
    public static final long TAG = 8;
    public static final long STATUS = 16;
    public static final long DETAIL = 20;
    public static final long START_NS = 24;
    public static final long END_NS = 32;
    public static final long BUSY_NS = 40;

    private Completion() {}
  }
}
