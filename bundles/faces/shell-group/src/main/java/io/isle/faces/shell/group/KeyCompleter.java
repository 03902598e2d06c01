package io.isle.faces.shell.group;

import io.isle.api.tenancy.GroupKey;
import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.Groups;
import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes keys of groups. */
@Service
public final class KeyCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return services.ifThere(Groups.class, KeyCompleter::keys).orElse(List.of());
  }

  static List<String> keys(Groups groups) {
    return Stream.concat(Stream.of(GroupSpec.PARENT), groups.keys().stream().map(GroupKey::key))
        .toList();
  }
}
