package io.isle.faces.shell.driver;

import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes tiers. */
@Service
public final class TierCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return List.of("1", "2");
  }
}
