package io.isle.faces.shell.spin.run;

import io.isle.api.spin.HostReply;
import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.Arrays;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes answers of the host. */
@Service
public final class HostReplyCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return Arrays.stream(HostReply.values()).map(HostReply::text).toList();
  }
}
