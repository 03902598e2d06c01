package io.isle.faces.shell.ring;

import io.isle.api.fabric.RingRole;
import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes roles of nodes. */
@Service
public final class RoleCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return Stream.of(RingRole.values()).map(RingRole::text).toList();
  }
}
