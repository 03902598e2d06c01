package io.isle.lib.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;

/**
 * Maps, programs and links of eBPF by the system call bpf. Every method returns 0 or more, or a
 * negated errno of Linux: -EPERM without the rights, -ENOSYS where the kernel has no such call.
 * Segments are native. Descriptors are closed in child processes; their owner closes them by {@link
 * Sockets#close}. Static methods, for any thread.
 */
public final class Bpf {
  /** Numbers of values by index; an entry always exists. */
  public static final int MAP_ARRAY = 2;

  /** Sockets of AF_XDP by index. */
  public static final int MAP_XSK = 17;

  /** Longest name of a map or program in bytes. */
  public static final int MAX_NAME = 15;

  private static final int MAP_CREATE = 0;
  private static final int MAP_LOOKUP = 1;
  private static final int MAP_UPDATE = 2;
  private static final int MAP_DELETE = 3;
  private static final int PROG_LOAD = 5;
  private static final int PROG_TEST_RUN = 10;
  private static final int LINK_CREATE = 28;
  private static final int LINK_UPDATE = 29;

  private static final int PROG_TYPE_XDP = 6;
  private static final int ATTACH_XDP = 37;
  private static final int LOG_LEVEL = 1;
  private static final int INSTRUCTION_BYTES = 8;

  private Bpf() {}

  /**
   * Makes a map.
   *
   * @param type such as {@link #MAP_XSK}
   * @param keyBytes size of a key
   * @param valueBytes size of a value
   * @param entries most entries
   * @param name letters, digits and {@code _.}, at most {@link #MAX_NAME}
   * @return the descriptor
   */
  public static int createMap(int type, int keyBytes, int valueBytes, int entries, String name) {
    return BpfLib.call(
        MAP_CREATE,
        MemorySegment.NULL,
        MemorySegment.NULL,
        (attr, arena) -> {
          attr.set(JAVA_INT, 0, type);
          attr.set(JAVA_INT, 4, keyBytes);
          attr.set(JAVA_INT, 8, valueBytes);
          attr.set(JAVA_INT, 12, entries);
          name(attr, 28, name);
        });
  }

  /**
   * Copies the value of a key.
   *
   * @param value receives the value; as long as the values of the map
   * @return 0; -ENOENT without the key
   */
  public static int lookup(int map, MemorySegment key, MemorySegment value) {
    return element(MAP_LOOKUP, map, key, value);
  }

  /**
   * Sets the value of a key.
   *
   * @return 0; -E2BIG for an index beyond the map; for sockets -EOPNOTSUPP, -EBADF
   */
  public static int update(int map, MemorySegment key, MemorySegment value) {
    return element(MAP_UPDATE, map, key, value);
  }

  /**
   * Removes a key.
   *
   * @return 0, for sockets also without the key; -E2BIG for an index beyond the map
   */
  public static int delete(int map, MemorySegment key) {
    return element(MAP_DELETE, map, key, MemorySegment.NULL);
  }

  private static int element(int command, int map, MemorySegment key, MemorySegment value) {
    return BpfLib.call(
        command,
        key,
        value,
        (attr, arena) -> {
          attr.set(JAVA_INT, 0, map);
          attr.set(JAVA_LONG, 8, key.address());
          attr.set(JAVA_LONG, 16, value.address());
        });
  }

  /**
   * Loads a program for XDP, under the licence Apache-2.0: the verifier refuses helpers that are
   * for GPL programs only.
   *
   * @param instructions 8 bytes each
   * @param name letters, digits and {@code _.}, at most {@link #MAX_NAME}
   * @param log receives the verifier's text with a final 0, its end if there is no room for all; of
   *     0 bytes for no text
   * @return the descriptor; -EINVAL, -EACCES of the verifier; -ENOSPC if the log has no room
   */
  public static int loadXdp(MemorySegment instructions, String name, MemorySegment log) {
    return BpfLib.call(
        PROG_LOAD,
        instructions,
        log,
        (attr, arena) -> {
          attr.set(JAVA_INT, 0, PROG_TYPE_XDP);
          attr.set(JAVA_INT, 4, (int) (instructions.byteSize() / INSTRUCTION_BYTES));
          attr.set(JAVA_LONG, 8, instructions.address());
          attr.set(JAVA_LONG, 16, arena.allocateFrom("Apache-2.0").address());
          if (log.byteSize() > 0) {
            attr.set(JAVA_INT, 24, LOG_LEVEL);
            attr.set(JAVA_INT, 28, (int) log.byteSize());
            attr.set(JAVA_LONG, 32, log.address());
          }
          name(attr, 48, name);
          attr.set(JAVA_INT, 68, ATTACH_XDP);
        });
  }

  /** The outcome of {@link #testRun}. One thread at a time. */
  public static final class TestRun {
    private int verdict;
    private int nanos;

    /** What the program returned, such as 2 for XDP_PASS. */
    public int verdict() {
      return verdict;
    }

    /** Mean time of a run in nanoseconds, by the kernel's clock. */
    public int nanos() {
      return nanos;
    }
  }

  /**
   * Runs a program of XDP on a copy of a frame; nothing is sent.
   *
   * @param frame 14 bytes or more; kernels with small pages take 70000
   * @param repeat number of runs, 1 or more
   * @return 0; -EINVAL for a frame of less than 14 bytes; -ENOMEM for one that is too long; -EINTR
   *     is not returned, the run begins anew
   */
  public static int testRun(int program, MemorySegment frame, int repeat, TestRun into) {
    return BpfLib.call(
        PROG_TEST_RUN,
        frame,
        MemorySegment.NULL,
        (attr, arena) -> {
          attr.set(JAVA_INT, 0, program);
          attr.set(JAVA_INT, 8, (int) frame.byteSize());
          attr.set(JAVA_LONG, 16, frame.address());
          attr.set(JAVA_INT, 32, repeat);
        },
        attr -> {
          into.verdict = attr.get(JAVA_INT, 4);
          into.nanos = attr.get(JAVA_INT, 36);
        });
  }

  /**
   * Attaches a program of XDP to an interface of the calling thread's network namespace. The close
   * of the link detaches the program.
   *
   * @param flags 0 for the kernel's choice, 2 for skb, 4 for drv
   * @return the descriptor of the link; -EBUSY, -EEXIST if another program is attached; -ENODEV;
   *     -EOPNOTSUPP if the driver of the interface cannot do it
   */
  public static int linkXdp(int program, int interfaceIndex, int flags) {
    return BpfLib.call(
        LINK_CREATE,
        MemorySegment.NULL,
        MemorySegment.NULL,
        (attr, arena) -> {
          attr.set(JAVA_INT, 0, program);
          attr.set(JAVA_INT, 4, interfaceIndex);
          attr.set(JAVA_INT, 8, ATTACH_XDP);
          attr.set(JAVA_INT, 12, flags);
        });
  }

  /**
   * Replaces the program of a link; no frame passes without a program meanwhile.
   *
   * @return 0; -ENOLINK if the interface has gone
   */
  public static int updateLink(int link, int program) {
    return BpfLib.call(
        LINK_UPDATE,
        MemorySegment.NULL,
        MemorySegment.NULL,
        (attr, arena) -> {
          attr.set(JAVA_INT, 0, link);
          attr.set(JAVA_INT, 4, program);
        });
  }

  private static void name(MemorySegment attr, long at, String name) {
    if (!name.matches("[A-Za-z0-9_.]{1," + MAX_NAME + "}")) {
      throw new IllegalArgumentException(
          "name '" + name + "' is not 1 to " + MAX_NAME + " letters, digits, _ and .");
    }
    attr.setString(at, name);
  }
}
