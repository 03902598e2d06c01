package io.isle.lib.shm;

import static io.isle.lib.shm.Words.INT;
import static io.isle.lib.shm.Words.LONG;
import static io.isle.lib.shm.Words.U32;
import static io.isle.lib.shm.Words.U64;

import io.isle.lib.ffi.MappedArena;
import io.isle.lib.ffi.MemoryFile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The core's side of a channel segment: makes and seals it, owns its rings. The core keeps what it
 * wrote into the header; it never reads a layout back from memory that a host can write.
 */
public final class Channel implements AutoCloseable {
  private final MemoryFile file;
  private final MappedArena arena;
  private final MemorySegment memory;
  private final long crashOffset;
  private final RequestRing requests;
  private final CompletionRing completions;
  private final StartedTable started;
  private final ControlCaller control;
  private final Doorbell dataBell;
  private final LogLines log;

  private Channel(MemoryFile file, MappedArena arena, MemorySegment memory, int inflight) {
    this.file = file;
    this.arena = arena;
    this.memory = memory;
    int requestCapacity = requestCapacity(inflight);
    long completionOffset =
        ChannelLayout.HEADER_BYTES + (long) requestCapacity * ChannelLayout.SLOT_BYTES;
    long requestControl = completionOffset + (long) capacity(inflight) * ChannelLayout.SLOT_BYTES;
    long responseControl = requestControl + ChannelLayout.CONTROL_BYTES;
    this.crashOffset = responseControl + ChannelLayout.CONTROL_BYTES;
    long startedOffset = crashOffset + ChannelLayout.CRASH_BYTES;
    memory.set(U32, ChannelLayout.ABI, ChannelLayout.ABI_VALUE);
    memory.set(U64, ChannelLayout.TOTAL_SIZE, memory.byteSize());
    memory.set(U32, ChannelLayout.REQUEST_CAPACITY, requestCapacity);
    memory.set(U32, ChannelLayout.COMPLETION_CAPACITY, capacity(inflight));
    memory.set(U32, ChannelLayout.MAX_INFLIGHT, inflight);
    memory.set(U64, ChannelLayout.REQUEST_OFFSET, ChannelLayout.HEADER_BYTES);
    memory.set(U64, ChannelLayout.COMPLETION_OFFSET, completionOffset);
    memory.set(U64, ChannelLayout.CONTROL_REQUEST_OFFSET, requestControl);
    memory.set(U64, ChannelLayout.CONTROL_RESPONSE_OFFSET, responseControl);
    memory.set(U64, ChannelLayout.CRASH_OFFSET, crashOffset);
    memory.set(U64, ChannelLayout.STARTED_OFFSET, startedOffset);
    this.requests = new RequestRing(memory, ChannelLayout.HEADER_BYTES, requestCapacity);
    this.completions = new CompletionRing(memory, completionOffset, capacity(inflight));
    this.started = new StartedTable(memory, startedOffset, inflight);
    this.control = new ControlCaller(memory, requestControl, responseControl, arena);
    this.log = new LogLines(memory);
    this.dataBell = new Doorbell(memory.asSlice(ChannelLayout.DATA_BELL, 8), arena);
  }

  /**
   * Makes a channel.
   *
   * @param inflight most submissions in flight, 1 to 4096
   * @param epoch counts the device's openings
   * @param spinUs how long the host's threads spin before they sleep
   */
  public static Channel create(int inflight, int epoch, int spinUs) {
    if (inflight < 1 || inflight > 4096) {
      throw new IllegalArgumentException("inflight " + inflight + " is not in 1..4096");
    }
    long size =
        ChannelLayout.HEADER_BYTES
            + ((long) requestCapacity(inflight) + capacity(inflight)) * ChannelLayout.SLOT_BYTES
            + 2L * ChannelLayout.CONTROL_BYTES
            + ChannelLayout.CRASH_BYTES
            + pages((long) inflight * ChannelLayout.STARTED_BYTES);
    MemoryFile file = MemoryFile.create("isle-channel", size);
    MappedArena arena = new MappedArena();
    boolean made = false;
    try {
      MemorySegment memory = file.map(arena);
      file.seal(false);
      Channel channel = new Channel(file, arena, memory, inflight);
      memory.set(U32, ChannelLayout.EPOCH, epoch);
      memory.set(U32, ChannelLayout.SPIN_US, spinUs);
      LONG.setRelease(memory, ChannelLayout.MAGIC, ChannelLayout.MAGIC_VALUE);
      made = true;
      return channel;
    } finally {
      if (!made) {
        arena.close();
        file.close();
      }
    }
  }

  private static long pages(long bytes) {
    return (bytes + 4095) / 4096 * 4096;
  }

  /** Room for every submission in flight and as many preemption requests. */
  private static int requestCapacity(int inflight) {
    return 2 * capacity(inflight);
  }

  private static int capacity(int inflight) {
    return Math.max(64, Integer.highestOneBit(2 * inflight - 1));
  }

  public MemoryFile file() {
    return file;
  }

  public MemorySegment memory() {
    return memory;
  }

  public RequestRing requests() {
    return requests;
  }

  public CompletionRing completions() {
    return completions;
  }

  /** When the work of submissions began. */
  public StartedTable started() {
    return started;
  }

  /** What the driver logged last. */
  public LogLines log() {
    return log;
  }

  public ControlCaller control() {
    return control;
  }

  /** Wakes the host's data thread. */
  public Doorbell dataBell() {
    return dataBell;
  }

  /** STARTING, READY, CLOSED or CRASHED, or whatever a hostile host wrote. */
  public int hostState() {
    return (int) INT.getAcquire(memory, ChannelLayout.HOST_STATE);
  }

  /**
   * The data thread's steps, as the host counts them: odd while a data call is inside the driver.
   * Standing still while odd, while requests wait, or while {@link #dataBell} is rung, is a hang.
   */
  public long heartbeat() {
    return (long) LONG.getOpaque(memory, ChannelLayout.HEARTBEAT);
  }

  /** Tells the host which opening of its device this is; before the device is opened. */
  public void epoch(int epoch) {
    INT.setRelease(memory, ChannelLayout.EPOCH, epoch);
  }

  /** Malformed messages and stale tags that the driver runtime refused so far. */
  public long violations() {
    return (long) LONG.getOpaque(memory, ChannelLayout.VIOLATIONS);
  }

  /** What a dying host left behind: one line that a terminal can show, empty if nothing. */
  public String crashText() {
    byte[] record = crashRecord();
    return shown(record, 0, end(record, 0));
  }

  /**
   * What a dying host says of the code that it died in, innermost first: lines that a terminal can
   * show, {@code PC OFFSET PATH} from one that tells the truth.
   */
  public List<String> crashFrames() {
    byte[] record = crashRecord();
    List<String> frames = new ArrayList<>();
    int at = end(record, 0) + 1;
    int end = end(record, at);
    while (at < end && frames.size() < ChannelLayout.CRASH_FRAMES) {
      int next = at;
      while (next < end && record[next] != '\n') {
        next++;
      }
      frames.add(shown(record, at, next));
      at = next + 1;
    }
    return frames;
  }

  /** Copied once: the host may still write. */
  private byte[] crashRecord() {
    return memory.asSlice(crashOffset, ChannelLayout.CRASH_BYTES).toArray(ValueLayout.JAVA_BYTE);
  }

  private static int end(byte[] record, int from) {
    int end = from;
    while (end < record.length && record[end] != 0) {
      end++;
    }
    return end;
  }

  private static String shown(byte[] record, int from, int to) {
    return new String(record, from, to - from, StandardCharsets.UTF_8)
        .replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", " ")
        .strip();
  }

  /** Unmaps it; waits for whoever still rings. Nothing may use its rings any more. */
  @Override
  public void close() {
    file.close();
    arena.close();
  }
}
