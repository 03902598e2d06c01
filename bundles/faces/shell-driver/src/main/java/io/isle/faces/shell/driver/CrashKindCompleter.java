package io.isle.faces.shell.driver;

import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** Completes the ways in which a driver can be made to crash. */
@Service
public final class CrashKindCompleter extends IdCompleter {
  @Override
  protected List<String> ids(Services services) {
    return Stream.of(CrashKind.values()).map(CrashKind::text).toList();
  }
}
