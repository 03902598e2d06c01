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
 * The core's side of a channel segment: makes and seals the segment, and owns its rings. The core
 * keeps its own copy of the header and never reads a layout from memory that a host can write.
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
   * @param inflight largest number of submissions in flight, 1 to 4096
   * @param epoch number of the device's opening
   * @param spinUs time that the host's threads spin before a sleep, in microseconds
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

  /** Begin of submissions' work. */
  public StartedTable started() {
    return started;
  }

  /** The newest warnings and errors of the driver. */
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

  /** STARTING, READY, CLOSED or CRASHED, or any other value from a hostile host. */
  public int hostState() {
    return (int) INT.getAcquire(memory, ChannelLayout.HOST_STATE);
  }

  /**
   * The steps of the data thread, counted by the host: odd during a data call of the driver. A
   * count without change is a hang if the count is odd, while requests wait, or while {@link
   * #dataBell} is rung.
   */
  public long heartbeat() {
    return (long) LONG.getOpaque(memory, ChannelLayout.HEARTBEAT);
  }

  /** Sets the epoch of the device's opening for the host; before the opening of the device. */
  public void epoch(int epoch) {
    INT.setRelease(memory, ChannelLayout.EPOCH, epoch);
  }

  /** Number of malformed messages and stale tags that the driver runtime has refused so far. */
  public long violations() {
    return (long) LONG.getOpaque(memory, ChannelLayout.VIOLATIONS);
  }

  /** The crash record of a dying host: one line for a terminal, empty without a record. */
  public String crashText() {
    byte[] record = crashRecord();
    return shown(record, 0, end(record, 0));
  }

  /**
   * The frames in the crash record of a dying host, innermost first: lines for a terminal, from an
   * honest host of the form {@code PC OFFSET PATH}.
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

  /**
   * Unmaps the channel; waits for threads that still ring. No thread may use its rings afterwards.
   */
  @Override
  public void close() {
    file.close();
    arena.close();
  }
}
