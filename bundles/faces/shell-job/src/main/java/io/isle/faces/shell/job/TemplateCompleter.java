package io.isle.faces.shell.job;

import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes names of templates. */
@Service
public final class TemplateCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return Templates.names();
  }
}
