package io.isle.core.drivers.nativecode.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How much memory this machine has. */
final class HostMemory {
  private static final Pattern LINE = Pattern.compile("(?:MemTotal|SwapTotal):\\s+([0-9]+) kB");
  private static final long UNKNOWN = 1L << 40;

  /** Bytes, swap space among them; 1 TiB where the kernel does not say. */
  static final long BYTES = bytes();

  private HostMemory() {}

  private static long bytes() {
    try {
      long sum =
          Files.readAllLines(Path.of("/proc/meminfo")).stream()
              .map(LINE::matcher)
              .filter(Matcher::matches)
              .mapToLong(HostMemory::of)
              .sum();
      return sum == 0 ? UNKNOWN : sum;
    } catch (IOException e) {
      return UNKNOWN;
    }
  }

  private static long of(Matcher line) {
    return Long.parseLong(line.group(1)) << 10;
  }
}
