package io.isle.faces.shell.net.nets;

import io.isle.api.net.AppInfo;
import io.isle.api.net.NetAdmin;
import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes names of apps. */
@Service
public final class AppCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return services.ifThere(NetAdmin.class, NetAdmin::apps).orElse(List.of()).stream()
        .map(AppInfo::name)
        .toList();
  }
}
