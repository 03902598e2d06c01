package io.isle.faces.shell.spin.run;

import io.isle.api.spin.BuildSpec;
import io.isle.api.spin.HandlerBuild;
import io.isle.api.spin.HandlerBuilds;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.SpinException;
import io.isle.faces.shell.Services;
import io.isle.faces.shell.ShellException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Builds handlers for a command. */
final class HandlersBuild {
  private HandlersBuild() {}

  /**
   * Builds; what the compiler says goes to the error stream.
   *
   * @throws ShellException if there is no image
   */
  static HandlerBuild of(Services services, List<Path> sources, List<String> options) {
    for (Path source : sources) {
      if (!Files.isRegularFile(source)) {
        throw ShellException.failed(source + " does not exist");
      }
    }
    BuildSpec spec = spec(sources, options);
    HandlerBuild build = services.with(HandlerBuilds.class, builds -> build(builds, spec));
    if (!build.messages().isEmpty()) {
      System.err.println(build.messages());
    }
    if (build.image().isEmpty()) {
      throw ShellException.failed(sources.getFirst() + " is refused by the compiler");
    }
    return build;
  }

  private static BuildSpec spec(List<Path> sources, List<String> options) {
    try {
      return new BuildSpec(sources, options);
    } catch (SpinException e) {
      throw ShellException.usage("--cflags: " + e.getMessage());
    }
  }

  private static HandlerBuild build(HandlerBuilds builds, BuildSpec spec) {
    try {
      return builds.build(name(spec.sources().getFirst()), spec);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ShellException.interrupted("interrupted while the compiler ran");
    }
  }

  /** The name of handlers in a file: its name without the ending, as far as a name may have it. */
  static String name(Path file) {
    String name = String.valueOf(file.getFileName());
    int dot = name.lastIndexOf('.');
    String shown = (dot > 0 ? name.substring(0, dot) : name).replaceAll("[^ -~]", "?");
    return shown.substring(0, Math.min(shown.length(), HandlerImage.MAX_NAME));
  }
}
