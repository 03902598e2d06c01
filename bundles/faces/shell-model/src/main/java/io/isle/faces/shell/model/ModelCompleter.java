package io.isle.faces.shell.model;

import io.isle.api.inference.Models;
import io.isle.api.inference.SlotInfo;
import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes names of decisions. */
@Service
public final class ModelCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return services.ifThere(Models.class, Models::slots).orElse(List.of()).stream()
        .map(SlotInfo::name)
        .toList();
  }
}
