package io.isle.faces.shell;

import java.util.List;
import org.apache.karaf.shell.api.console.CommandLine;

/** Completes the key of {@code KEY=VALUE}; the value follows without a blank. */
public final class SettingKeys {
  private SettingKeys() {}

  /**
   * Adds the keys that begin as the argument at the cursor, each with its equals sign.
   *
   * @return as {@link org.apache.karaf.shell.api.console.Completer#complete}
   */
  public static int complete(List<String> keys, CommandLine line, List<String> candidates) {
    String argument = line.getCursorArgument();
    String begun = argument == null ? "" : argument.substring(0, line.getArgumentPosition());
    for (String key : keys) {
      if ((key + "=").startsWith(begun)) {
        candidates.add(key + "=");
      }
    }
    return candidates.isEmpty() ? -1 : line.getBufferPosition() - line.getArgumentPosition();
  }
}
