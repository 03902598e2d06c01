package io.isle.faces.shell.ring;

import io.isle.api.fabric.RingAdmin;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes names of nodes. */
@Service
public final class NodeCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return services.ifThere(RingAdmin.class, RingAdmin::nodes).orElse(List.of()).stream()
        .map(RingNodeInfo::name)
        .toList();
  }
}
