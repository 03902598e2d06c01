package io.isle.apps.chaos.look;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Descriptors and mappings of this process, sorted by what they are. */
final class ProcessFiles {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final Path MAPPINGS = Path.of("/proc/self/maps");
  private static final int MAPPING_FIELDS = 6;
  private static final Pattern UNIQUE = Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4,12}){4}");
  private static final Pattern NUMBER = Pattern.compile("[0-9]+");

  private ProcessFiles() {}

  static void descriptors(Map<String, Long> counts) {
    try (Stream<Path> all = Files.list(DESCRIPTORS)) {
      all.forEach(each -> target(each, counts));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void target(Path descriptor, Map<String, Long> counts) {
    String target;
    try {
      target = Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      // closed since the folder was listed, such as the one that listed it
      return;
    }
    if (!target.startsWith("/proc/")) {
      counts.merge("descriptors " + sort(target), 1L, Long::sum);
    }
  }

  /** Only memory of segments and libraries: the heap and the JVM's own files come and go. */
  static void mappings(Map<String, Long> counts) {
    try (Stream<String> lines = Files.lines(MAPPINGS)) {
      lines
          .map(line -> line.split("\\s+", MAPPING_FIELDS))
          .filter(fields -> fields.length == MAPPING_FIELDS)
          .map(fields -> fields[MAPPING_FIELDS - 1])
          .filter(name -> name.startsWith("/memfd:") || name.contains(".so"))
          .forEach(name -> counts.merge("mappings " + sort(name), 1L, Long::sum));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** {@code socket:[1234]} is a socket like others; a jar is a jar whatever its revision. */
  static String sort(String target) {
    String name = target.replace(" (deleted)", "");
    if (name.startsWith("/") && !name.startsWith("/memfd:")) {
      name = name.substring(name.lastIndexOf('/') + 1);
    }
    return NUMBER.matcher(UNIQUE.matcher(name).replaceAll("#")).replaceAll("#");
  }
}
