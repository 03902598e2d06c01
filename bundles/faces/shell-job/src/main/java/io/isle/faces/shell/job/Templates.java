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
          new Template("hash", "a file goes through a program in pieces; one line a block"),
          new Template("image", "a PNG image through a filter"),
          new Template("kernel", "a kernel of your own in OpenCL C, written beside the job"),
          new Template("matrix", "two matrices in .npy files, and their product"),
          new Template("pipeline", "steps that hand buffers on, side by side with another stream"),
          new Template("sort", "numbers that need not fit into the device's memory"));

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
          "unknown template '" + template + "'; there are " + String.join(", ", names()));
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
