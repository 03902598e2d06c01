package io.isle.faces.shell.net.configure;

import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes what {@code net:configure} does. */
@Service
public final class ConfigureVerbCompleter extends IdCompleter {
  static final String INIT = "init";
  static final String CHECK = "check";
  static final List<String> VERBS = List.of(INIT, "fini", CHECK);

  @Override
  protected List<String> ids(Services services) {
    return VERBS;
  }
}
