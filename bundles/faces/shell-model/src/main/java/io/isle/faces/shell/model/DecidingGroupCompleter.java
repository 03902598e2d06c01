package io.isle.faces.shell.model;

import io.isle.api.inference.Models;
import io.isle.api.inference.SlotInfo.GroupInfo;
import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes names of groups that decide by models. */
@Service
public final class DecidingGroupCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return services.ifThere(Models.class, Models::slots).orElse(List.of()).stream()
        .flatMap(slot -> slot.groups().stream())
        .map(GroupInfo::group)
        .distinct()
        .sorted()
        .toList();
  }
}
