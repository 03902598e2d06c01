package io.isle.net.xdp.configure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;

/** What the machine sets at its start: the last of its files that name a setting. */
final class SysctlFiles {
  /** A file of a later folder replaces one of the same name. */
  private static final List<Path> FOLDERS =
      List.of(Path.of("/usr/lib/sysctl.d"), Path.of("/run/sysctl.d"), Path.of("/etc/sysctl.d"));

  private static final Path LAST = Path.of("/etc/sysctl.conf");

  private SysctlFiles() {}

  /** The value of a setting such as {@code net.ipv4.conf.lo.rp_filter}; null if none names it. */
  static String value(String setting) throws IOException {
    TreeMap<String, Path> files = new TreeMap<>();
    for (Path folder : FOLDERS) {
      if (Files.isDirectory(folder)) {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*.conf")) {
          found.forEach(file -> files.put(file.getFileName().toString(), file));
        }
      }
    }
    String value = null;
    for (Path file : files.values()) {
      value = last(file, setting, value);
    }
    return Files.isReadable(LAST) ? last(LAST, setting, value) : value;
  }

  private static String last(Path file, String setting, String before) throws IOException {
    return Files.isReadable(file)
        ? last(Files.readAllLines(file, StandardCharsets.ISO_8859_1), setting, before)
        : before;
  }

  /** The value in the last line that names the setting, with dots or slashes. */
  static String last(List<String> lines, String setting, String before) {
    String value = before;
    for (String line : lines) {
      String[] parts = line.strip().split("=", 2);
      String name = parts[0].strip().replaceFirst("^-", "").replace('/', '.');
      if (parts.length == 2 && name.equals(setting)) {
        value = parts[1].strip();
      }
    }
    return value;
  }
}
