package io.isle.core.accel;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What this process has beside the heap. */
public final class Mappings {
  private Mappings() {}

  /** Mappings of memory files whose name begins so. */
  public static long count(String name) {
    return lines("/proc/self/maps").filter(line -> line.contains("/memfd:" + name)).count();
  }

  /** Size of the address space in bytes. */
  static long size() {
    return lines("/proc/self/status")
        .filter(line -> line.startsWith("VmSize:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
        .findFirst()
        .orElseThrow();
  }

  /** Bytes that count against the JVM's limit of direct memory. */
  static long direct() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  private static Stream<String> lines(String file) {
    try {
      return Files.readAllLines(Path.of(file)).stream();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
