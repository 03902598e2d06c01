package io.isle.faces.shell.spin.run;

import io.isle.faces.shell.ShellException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Reads {@code --cflags}: options with blanks between. */
final class CompilerOptions {
  private static final String INCLUDE = "-I";

  private CompilerOptions() {}

  /**
   * The options, each with what belongs to it.
   *
   * @param text null for none
   * @param path makes a folder absolute
   */
  static List<String> of(String text, Function<String, Path> path) {
    List<String> options = new ArrayList<>();
    String before = "";
    for (String word : text == null ? new String[0] : text.strip().split("\\s+")) {
      String option = before + word;
      before = "";
      if (option.equals("-D") || option.equals(INCLUDE)) {
        before = option;
      } else if (option.startsWith(INCLUDE)) {
        options.add(INCLUDE + path.apply(option.substring(INCLUDE.length())));
      } else if (!option.isEmpty()) {
        options.add(option);
      }
    }
    if (!before.isEmpty()) {
      throw ShellException.usage("--cflags: " + before + " needs a value");
    }
    return options;
  }
}
