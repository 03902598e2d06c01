package io.isle.faces.shell.net.program;

import io.isle.api.net.FrameVerdict;
import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes verdicts. */
@Service
public final class VerdictCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return FrameVerdict.names();
  }
}
