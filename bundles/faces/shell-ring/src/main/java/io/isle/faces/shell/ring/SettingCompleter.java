package io.isle.faces.shell.ring;

import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Session;

/** Completes the key of {@code KEY=VALUE}; the value follows without a blank. */
@Service
public final class SettingCompleter implements Completer {
  @Override
  public int complete(Session session, CommandLine line, List<String> candidates) {
    String argument = line.getCursorArgument();
    String begun = argument == null ? "" : argument.substring(0, line.getArgumentPosition());
    for (String key : Settings.KEYS) {
      if ((key + "=").startsWith(begun)) {
        candidates.add(key + "=");
      }
    }
    return candidates.isEmpty() ? -1 : line.getBufferPosition() - line.getArgumentPosition();
  }
}
