package io.isle.faces.control;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.karaf.shell.api.console.Session;

/**
 * What to run: either a line in the shell's language, or one command with its arguments as they
 * are.
 *
 * @param line the line, or the command's name
 * @param arguments null for a line
 */
record CommandLine(String line, List<String> arguments) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9:_-]*");

  static CommandLine of(String line) {
    return new CommandLine(line, null);
  }

  /** One command; the first word is its name. */
  static CommandLine of(List<String> words) throws RequestException {
    if (!NAME.matcher(words.getFirst()).matches()) {
      throw new RequestException("not a command's name: " + words.getFirst());
    }
    return new CommandLine(words.getFirst(), List.copyOf(words.subList(1, words.size())));
  }

  /**
   * Runs it. Arguments go through session variables: no quoting of the shell's language keeps every
   * character as it is, the value of a variable does.
   */
  Object execute(Session session) throws Exception {
    if (arguments == null) {
      return session.execute(line);
    }
    List<String> parts = new ArrayList<>(List.of(line));
    for (int i = 0; i < arguments.size(); i++) {
      String variable = "isle_argument_" + i;
      session.put(variable, arguments.get(i));
      parts.add("$" + variable);
    }
    return session.execute(String.join(" ", parts));
  }
}
