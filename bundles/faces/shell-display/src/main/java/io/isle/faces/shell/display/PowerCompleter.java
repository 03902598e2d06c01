package io.isle.faces.shell.display;

import io.isle.api.device.DpmsState;
import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.Arrays;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes power states of screens. */
@Service
public final class PowerCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return Arrays.stream(DpmsState.values()).map(DpmsState::text).toList();
  }
}
