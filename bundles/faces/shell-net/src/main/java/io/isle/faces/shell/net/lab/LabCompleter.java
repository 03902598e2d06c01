package io.isle.faces.shell.net.lab;

import io.isle.api.net.LabSide;
import io.isle.api.net.Labs;
import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes names of labs. */
@Service
public final class LabCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return services.ifThere(Labs.class, Labs::list).orElse(List.of()).stream()
        .map(LabSide::lab)
        .distinct()
        .toList();
  }
}
