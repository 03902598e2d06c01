package io.isle.faces.shell.net.link;

import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes where a consumer begins. */
@Service
public final class FromCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return List.of("now");
  }
}
