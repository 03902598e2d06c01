package io.isle.itests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The cases of {@code src/test/kernels}: programs in OpenCL C, and jobs that use them. */
final class KernelTable {
  private static final String FOLDER = "itests/src/test/kernels";

  private KernelTable() {}

  /**
   * A case: a line {@code # NAME} or {@code # NAME: SENTENCE}, and the lines up to the next one.
   *
   * @param name of the case, most often of its kernel
   * @param sentence of the refusal; of a case that is right, of devices that lack a feature
   * @param text of the job after its device, or of its only steps
   */
  record Case(String name, Optional<String> sentence, String text) {
    /** The whole job file. */
    String job() {
      boolean whole = text.startsWith("steps:") || text.startsWith("programs:");
      return "job: "
          + name.replace('_', '-').toLowerCase(Locale.ROOT)
          + "\ndevice: opencl0\n"
          + (whole ? text : "steps:\n" + text.indent(2));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /**
   * @param root the repository
   */
  static List<Case> right(Path root) throws IOException {
    return read(root.resolve(FOLDER).resolve("right.steps"));
  }

  /**
   * @param root the repository
   */
  static List<Case> refused(Path root) throws IOException {
    return read(root.resolve(FOLDER).resolve("refused.steps"));
  }

  private static List<Case> read(Path file) throws IOException {
    List<Case> cases = new ArrayList<>();
    String table = "\n" + Files.readString(file);
    for (String part : table.split("\n# ", -1)) {
      if (part.isBlank()) {
        continue;
      }
      String[] lines = part.split("\n", 2);
      String[] head = lines[0].split(": ", 2);
      cases.add(
          new Case(
              head[0],
              head.length > 1 ? Optional.of(head[1]) : Optional.empty(),
              filled(lines[1].strip() + "\n")));
    }
    return cases;
  }

  /** With the arguments that would be long to write. */
  private static String filled(String text) {
    String numbers =
        IntStream.range(0, 63).mapToObj(String::valueOf).collect(Collectors.joining(", "));
    String wide = "01000000" + "00".repeat(992) + "02000000";
    return text.replace("NUMBERS_63", numbers).replace("BYTES_1000", wide);
  }

  /** Programs and headers, beside which the jobs lie. */
  static void copy(Path root, Path to) throws IOException {
    Path from = root.resolve(FOLDER);
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = to.resolve(from.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
  }
}
