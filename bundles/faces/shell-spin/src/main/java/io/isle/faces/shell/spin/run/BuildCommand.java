package io.isle.faces.shell.spin.run;

import io.isle.api.spin.HandlerBuild;
import io.isle.api.spin.HandlerImage;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.completers.FileCompleter;

/** {@code spin:build}. */
@Service
@Command(
    scope = "spin",
    name = "build",
    description = "Builds handlers of packets from C, as spin-cc does; see docs/spin-handlers.md")
@RequiredRole(
    value = Role.ADMIN,
    reason = "The command runs a compiler, and reads and writes files as the platform's user.")
public final class BuildCommand extends IsleCommand {
  private static final String SUFFIX = ".spin";

  @Argument(
      name = "sources",
      description = "Files in C; a relative path starts at the caller's directory",
      required = true,
      multiValued = true)
  @Completion(FileCompleter.class)
  private List<String> sources;

  @Option(
      name = "--out",
      description = "File for the image; if left out, the first source's name with .spin")
  @Completion(FileCompleter.class)
  private String out;

  @Option(
      name = "--cflags",
      description = "Options -D, -I and -O of the compiler, such as '-DDO_HOST=1 -I headers'")
  private String cflags;

  @Override
  protected void run(Output output) {
    List<Path> files = sources.stream().map(this::path).toList();
    HandlerBuild build =
        HandlersBuild.of(services(), files, CompilerOptions.of(cflags, this::path));
    HandlerImage image = build.image().orElseThrow();
    Path first = files.getFirst();
    Path file = out == null ? first.resolveSibling(HandlersBuild.name(first) + SUFFIX) : path(out);
    try {
      Files.write(file, image.bytes());
    } catch (IOException e) {
      throw ShellException.failed(file + " cannot be written: " + e);
    }
    if (output.json()) {
      Map<String, Object> document = new LinkedHashMap<>();
      document.put("image", file.toString());
      document.put("bytes", image.size());
      document.put("cached", build.cached());
      output.document(document);
    } else {
      output.line(file + ": " + image.size() + " bytes" + (build.cached() ? ", built before" : ""));
    }
  }

  /** For tests. */
  BuildCommand of(String to, String options, String... files) {
    out = to;
    cflags = options;
    sources = List.of(files);
    return this;
  }
}
