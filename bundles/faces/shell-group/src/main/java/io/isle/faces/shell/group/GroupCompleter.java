package io.isle.faces.shell.group;

import io.isle.api.tenancy.GroupStatus;
import io.isle.api.tenancy.Groups;
import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes names of groups. */
@Service
public final class GroupCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return services
        .ifThere(Groups.class, groups -> groups.list().stream().map(GroupStatus::name).toList())
        .orElse(List.of());
  }
}
