package io.isle.faces.shell.ring;

import io.isle.api.fabric.RingAdmin;
import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes names of rings and of nodes. */
@Service
public final class RingCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return services.ifThere(RingAdmin.class, RingAdmin::nodes).orElse(List.of()).stream()
        .flatMap(node -> Stream.of(node.ring(), node.name()))
        .distinct()
        .toList();
  }
}
