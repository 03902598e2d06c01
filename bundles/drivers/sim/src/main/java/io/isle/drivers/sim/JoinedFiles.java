package io.isle.drivers.sim;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.ProgramSources;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Files as one text, which is as good as linking for a compiler that reads signatures only. In
 * place of an {@code #include} stands the text that it names, once in a file that is compiled.
 */
final class JoinedFiles {
  private static final Pattern INCLUDE =
      Pattern.compile("\\s*#\\s*include\\s*(?:\"([^\"]+)\"|<([^>]+)>).*");
  private static final Pattern ERROR = Pattern.compile("line (\\d{1,9}): (.*)", Pattern.DOTALL);

  private final Map<String, String> texts = new HashMap<>();
  private final StringBuilder joined = new StringBuilder();
  private final List<String> places = new ArrayList<>();

  /**
   * @throws DriverException EINVAL, with file and line, for an {@code #include} of none of them
   */
  JoinedFiles(List<ProgramSources.File> files, List<ProgramSources.File> headers) {
    for (List<ProgramSources.File> some : List.of(files, headers)) {
      some.forEach(file -> texts.put(file.name(), new String(file.text(), StandardCharsets.UTF_8)));
    }
    files.forEach(file -> add(file.name(), new HashSet<>()));
  }

  private void add(String name, Set<String> included) {
    if (!included.add(name)) {
      return;
    }
    int number = 0;
    for (String line : texts.get(name).split("\n", -1)) {
      String place = name + ":" + ++number;
      Matcher include = INCLUDE.matcher(line);
      if (include.matches()) {
        boolean quoted = include.group(1) != null;
        add(named(name, quoted ? include.group(1) : include.group(2), quoted, place), included);
      } else {
        joined.append(line).append('\n');
        places.add(place);
      }
    }
  }

  private String named(String from, String name, boolean quoted, String place) {
    String folder = from.substring(0, from.lastIndexOf('/') + 1);
    String beside = path(folder + name);
    String atRoot = path(name);
    if (quoted && !name.startsWith("/") && texts.containsKey(beside)) {
      return beside;
    }
    if (name.startsWith("/") || !texts.containsKey(atRoot)) {
      throw new DriverException(Errno.EINVAL, place + ": error: " + name + ": file not found");
    }
    return atRoot;
  }

  /** Without the parts that lead nowhere; a path that leaves the root names no file. */
  private static String path(String name) {
    List<String> parts = new ArrayList<>();
    for (String part : name.split("/", -1)) {
      if (part.equals("..")) {
        if (parts.isEmpty()) {
          return "";
        }
        parts.removeLast();
      } else if (!part.isEmpty() && !part.equals(".")) {
        parts.add(part);
      }
    }
    return String.join("/", parts);
  }

  byte[] text() {
    return joined.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** An error of the compiler with the file and the line there. */
  DriverException placed(DriverException error) {
    Matcher said = ERROR.matcher(error.getMessage());
    if (!said.matches() || Long.parseLong(said.group(1)) > places.size()) {
      return error;
    }
    int line = Math.max(1, Integer.parseInt(said.group(1)));
    return new DriverException(error.code(), places.get(line - 1) + ": " + said.group(2));
  }
}
