package io.isle.lib.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** What this process gives up for good. Static methods, any thread. */
public final class Confinement {
  private static final int PR_SET_DUMPABLE = 4;
  private static final int SET_MODE_FILTER = 1;

  /** The filter holds for all threads. */
  private static final int TSYNC = 1;

  private static final boolean AMD64 = System.getProperty("os.arch").equals("amd64");
  private static final long SECCOMP = AMD64 ? 317 : 277;
  private static final int EXECVE = AMD64 ? 59 : 221;
  private static final int EXECVEAT = AMD64 ? 322 : 281;

  private static final int LOAD_NUMBER = 0x20;
  private static final int JUMP_IF_EQUAL = 0x15;
  private static final int RETURN = 0x06;
  private static final int KILL_PROCESS = 0x8000_0000;
  private static final int ALLOW = 0x7fff_0000;

  private Confinement() {}

  /**
   * No process of the same user may attach to this one, or read its memory.
   *
   * @throws PosixException if the kernel refuses
   */
  public static void hide() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = LibC.callState(arena);
      if ((int) LibC.PRCTL.invokeExact(state, PR_SET_DUMPABLE, 0L) != 0) {
        throw LibC.failure("prctl PR_SET_DUMPABLE", state);
      }
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /**
   * No thread of this process may execute another program: the kernel ends a process that tries. A
   * process without PR_SET_NO_NEW_PRIVS needs CAP_SYS_ADMIN. Calls with the numbers of another
   * architecture are not looked at.
   *
   * @throws PosixException if the kernel refuses
   */
  public static void forbidPrograms() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment filter = arena.allocate(5 * 8L, 8);
      instruction(filter, 0, LOAD_NUMBER, 0, 0, 0);
      instruction(filter, 1, JUMP_IF_EQUAL, 2, 0, EXECVE);
      instruction(filter, 2, JUMP_IF_EQUAL, 1, 0, EXECVEAT);
      instruction(filter, 3, RETURN, 0, 0, ALLOW);
      instruction(filter, 4, RETURN, 0, 0, KILL_PROCESS);
      MemorySegment program = arena.allocate(16, 8);
      program.set(JAVA_SHORT, 0, (short) 5);
      program.set(ADDRESS, 8, filter);
      MemorySegment state = LibC.callState(arena);
      long code =
          (long) LibC.SECCOMP.invokeExact(state, SECCOMP, SET_MODE_FILTER, TSYNC, program);
      if (code < 0) {
        throw LibC.failure("seccomp", state);
      }
      if (code > 0) {
        throw new PosixException("seccomp", 1, "thread " + code + " has a filter of its own");
      }
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /** Structure sock_filter {u16 code, u8 if true, u8 if false, u32 value}. */
  private static void instruction(
      MemorySegment filter, int index, int code, int yes, int no, int value) {
    long at = index * 8L;
    filter.set(JAVA_SHORT, at, (short) code);
    filter.set(JAVA_BYTE, at + 2, (byte) yes);
    filter.set(JAVA_BYTE, at + 3, (byte) no);
    filter.set(JAVA_INT, at + 4, value);
  }
}
