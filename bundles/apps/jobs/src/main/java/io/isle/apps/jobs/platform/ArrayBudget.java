package io.isle.apps.jobs.platform;

import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Bytes outside of the heap for arrays of jobs, all jobs together. They count against the JVM's
 * limit of direct memory, of which a quarter is left: files, sockets and every call of a driver
 * need some of it. Thread-safe.
 */
public final class ArrayBudget {
  private static final Pattern OPTION =
      Pattern.compile("-XX:MaxDirectMemorySize=(\\d+)([kKmMgGtT]?)");

  private final long limit;
  private long taken;

  /**
   * @param limit in bytes
   */
  public ArrayBudget(long limit) {
    this.limit = limit;
  }

  /** That of this JVM. */
  public static ArrayBudget ofJvm() {
    return new ArrayBudget(
        direct(
                ManagementFactory.getRuntimeMXBean().getInputArguments(),
                Runtime.getRuntime().maxMemory())
            / 4
            * 3);
  }

  /** The JVM's limit of direct memory: what its options say last, else as much as of heap. */
  public static long direct(List<String> options, long heap) {
    long found = 0;
    for (String option : options) {
      Matcher matcher = OPTION.matcher(option);
      if (matcher.matches()) {
        int unit = "kmgt".indexOf(matcher.group(2).toLowerCase(Locale.ROOT));
        found =
            Long.parseLong(matcher.group(1)) << (matcher.group(2).isEmpty() ? 0 : 10 * unit + 10);
      }
    }
    return found == 0 ? heap : found;
  }

  /**
   * @throws JobException ENOMEM naming the limit
   */
  public synchronized void take(long bytes) {
    if (bytes > limit - taken) {
      throw JobException.failed(
          Errno.ENOMEM,
          "the platform's direct memory is too small for the job (an array of "
              + bytes
              + " bytes; arrays of all jobs take "
              + taken
              + " of "
              + limit
              + ", three quarters of the JVM's direct memory); cut the steps with 'stream', or"
              + " raise the limit with ISLE_JAVA_OPTS=-XX:MaxDirectMemorySize=...",
          null);
    }
    taken += bytes;
  }

  /** Gives back what {@link #take} took. */
  public synchronized void give(long bytes) {
    taken -= bytes;
  }

  /** Bytes that arrays have now. */
  public synchronized long taken() {
    return taken;
  }
}
