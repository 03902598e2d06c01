package io.isle.faces.shell.ring;

import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes where nodes run. */
@Service
public final class ProcessCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return List.of("own", "shared");
  }
}
