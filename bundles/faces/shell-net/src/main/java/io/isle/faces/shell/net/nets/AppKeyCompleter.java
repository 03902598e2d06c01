package io.isle.faces.shell.net.nets;

import io.isle.api.net.NetAdmin;
import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes keys of settings of apps. */
@Service
public final class AppKeyCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return services.ifThere(NetAdmin.class, AppKeys::all).orElse(List.of());
  }
}
