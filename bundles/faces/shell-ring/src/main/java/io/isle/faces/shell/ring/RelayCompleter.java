package io.isle.faces.shell.ring;

import io.isle.api.fabric.ImpairmentInfo;
import io.isle.api.fabric.Impairments;
import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes names of impairment relays. */
@Service
public final class RelayCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return services.ifThere(Impairments.class, Impairments::relays).orElse(List.of()).stream()
        .map(ImpairmentInfo::name)
        .toList();
  }
}
