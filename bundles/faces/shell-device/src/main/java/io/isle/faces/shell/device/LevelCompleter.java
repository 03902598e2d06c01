package io.isle.faces.shell.device;

import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes performance levels. */
@Service
public final class LevelCompleter extends IdCompleter {
  static final List<String> LEVELS = List.of("auto", "low", "balanced", "high");

  @Override
  protected List<String> ids(Services services) {
    return LEVELS;
  }
}
