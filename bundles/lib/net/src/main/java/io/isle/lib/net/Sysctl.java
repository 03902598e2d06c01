package io.isle.lib.net;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Reads settings of the kernel. Thread-safe. */
@FunctionalInterface
public interface Sysctl {
  /** The settings of this machine. */
  Sysctl SYSTEM =
      name -> {
        try (InputStream file = new FileInputStream("/proc/sys/" + name.replace('.', '/'))) {
          // the kernel gives all of a number to the first read, and nothing to the next
          byte[] text = new byte[256];
          int bytes = file.read(text);
          return new String(text, 0, Math.max(0, bytes), StandardCharsets.US_ASCII);
        }
      };

  /**
   * The text of a setting.
   *
   * @param name such as {@code net.core.rmem_max}
   */
  String read(String name) throws IOException;

  /**
   * The last number of a setting.
   *
   * @return 0 if the kernel has no such setting
   */
  default long last(String name) {
    try {
      String[] numbers = read(name).trim().split("\\s+");
      return Long.parseLong(numbers[numbers.length - 1]);
    } catch (IOException | NumberFormatException e) {
      return 0;
    }
  }
}
