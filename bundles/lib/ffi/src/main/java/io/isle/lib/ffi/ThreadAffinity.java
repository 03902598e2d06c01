package io.isle.lib.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The processors of the calling thread, which must be a platform thread. Threads that this thread
 * starts inherit its processors. Processors have the numbers of /proc/cpuinfo, from 0. Static
 * methods, for any thread.
 */
public final class ThreadAffinity {
  /** Largest number of a processor; Linux has fewer. */
  public static final int MOST = 8191;

  private static final long BYTES = (MOST + 1) / 8;

  /** Linux takes it for the calling thread. */
  private static final int SELF = 0;

  private ThreadAffinity() {}

  /**
   * The processors of the calling thread.
   *
   * @throws PosixException if the kernel refuses
   */
  public static Set<Integer> processors() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = LibC.callState(arena);
      MemorySegment mask = arena.allocate(BYTES, Long.BYTES);
      int result = (int) LibC.SCHED_GETAFFINITY.invokeExact(state, SELF, BYTES, mask);
      if (result != 0) {
        throw LibC.failure("sched_getaffinity", state);
      }
      return BitSet.valueOf(mask.toArray(ValueLayout.JAVA_LONG)).stream()
          .boxed()
          .collect(Collectors.toCollection(TreeSet::new));
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw LibC.unexpected(e);
    }
  }

  /**
   * Restricts the calling thread to these processors. The kernel ignores processors that do not
   * exist or are not permitted for the process, as long as one remains.
   *
   * @param processors at least one, each 0 to {@link #MOST}
   * @return 0 or a negated code, such as EINVAL if no processor remains
   */
  public static int pin(Set<Integer> processors) {
    BitSet bits = new BitSet(MOST + 1);
    for (int processor : processors) {
      if (processor < 0 || processor > MOST) {
        throw new IllegalArgumentException(
            "processor " + processor + " is not within 0 to " + MOST);
      }
      bits.set(processor);
    }
    if (bits.isEmpty()) {
      throw new IllegalArgumentException("the set of processors is empty");
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = LibC.callState(arena);
      MemorySegment mask = arena.allocate(BYTES, Long.BYTES);
      MemorySegment.copy(
          MemorySegment.ofArray(bits.toLongArray()), 0, mask, 0, bits.toLongArray().length * 8L);
      int result = (int) LibC.SCHED_SETAFFINITY.invokeExact(state, SELF, BYTES, mask);
      return result == 0 ? 0 : -LibC.errno(state);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw LibC.unexpected(e);
    }
  }
}
