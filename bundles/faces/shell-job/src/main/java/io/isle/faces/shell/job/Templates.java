package io.isle.faces.shell.job;

import io.isle.faces.shell.ShellException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** The job files that {@code job:new} starts from; they are resources of this bundle. */
final class Templates {
  /**
   * A template.
   *
   * @param description one line for lists
   */
  record Template(String name, String description) {}

  private static final List<Template> ALL =
      List.of(
          new Template("hash", "a program over a file in blocks; one line of output per block"),
          new Template("image", "a filter over a PNG image"),
          new Template("kernel", "an OpenCL C kernel, written into a file beside the job"),
          new Template("matrix", "the product of two matrices in .npy files"),
          new Template("pipeline", "steps that pass buffers on, in two streams side by side"),
          new Template("sort", "a sort of numbers that need not fit into the device's memory"));

  private Templates() {}

  static List<Template> all() {
    return ALL;
  }

  static List<String> names() {
    return ALL.stream().map(Template::name).toList();
  }

  /** The text of a template for a job called {@code job}. */
  static String text(String template, String job) {
    if (!names().contains(template)) {
      throw ShellException.usage(
          "unknown template '" + template + "'; the templates are " + String.join(", ", names()));
    }
    return read(template + ".yml").orElseThrow().replace("NAME", job);
  }

  /** The program that a job of that template names, for a file beside it; empty for most. */
  static Optional<String> kernel(String template) {
    return read(template + ".cl");
  }

  private static Optional<String> read(String resource) {
    try (InputStream in = Templates.class.getResourceAsStream("templates/" + resource)) {
      return in == null
          ? Optional.empty()
          : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
