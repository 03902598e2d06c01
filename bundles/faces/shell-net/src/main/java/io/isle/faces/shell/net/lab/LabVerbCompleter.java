package io.isle.faces.shell.net.lab;

import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes what {@code net:lab} does. */
@Service
public final class LabVerbCompleter extends IdCompleter {
  static final String CREATE = "create";
  static final String LIST = "list";
  static final List<String> VERBS = List.of(CREATE, LIST, "delete");

  @Override
  protected List<String> ids(Services services) {
    return VERBS;
  }
}
