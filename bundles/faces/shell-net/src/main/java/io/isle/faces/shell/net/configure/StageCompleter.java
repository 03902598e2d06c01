package io.isle.faces.shell.net.configure;

import io.isle.api.net.ConfigureStage;
import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.Arrays;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes stages of {@code net:configure}. */
@Service
public final class StageCompleter extends IdCompleter {
  static final List<String> STAGES =
      Arrays.stream(ConfigureStage.values()).map(ConfigureStage::text).toList();

  @Override
  protected List<String> ids(Services services) {
    return STAGES;
  }
}
