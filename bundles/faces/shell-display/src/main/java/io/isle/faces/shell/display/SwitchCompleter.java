package io.isle.faces.shell.display;

import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes what can be on or off. */
@Service
public final class SwitchCompleter extends IdCompleter {
  static final List<String> VALUES = List.of("on", "off");

  @Override
  protected List<String> ids(Services services) {
    return VALUES;
  }
}
