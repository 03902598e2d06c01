package io.isle.faces.shell.net.nets;

import io.isle.api.net.NetAdmin;
import io.isle.api.net.NetInfo;
import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes names of nets. */
@Service
public final class NetCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return services.ifThere(NetAdmin.class, NetAdmin::nets).orElse(List.of()).stream()
        .map(NetInfo::name)
        .toList();
  }
}
