package io.isle.faces.shell.spin.run;

import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.HandlerImages;
import io.isle.faces.shell.IdCompleter;
import io.isle.faces.shell.Services;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.completers.FileCompleter;

/** Completes names of handlers of bundles, and files. */
@Service
public final class HandlersCompleter implements Completer {
  private final Completer names = new Names();
  private final Completer files = new FileCompleter();

  /** Names of handlers of bundles. */
  static final class Names extends IdCompleter {
    @Override
    protected List<String> ids(Services services) {
      return services.ifThere(HandlerImages.class, HandlerImages::list).orElse(List.of()).stream()
          .map(HandlerImage::name)
          .toList();
    }
  }

  @Override
  public int complete(Session session, CommandLine line, List<String> candidates) {
    int ofNames = names.complete(session, line, candidates);
    return Math.max(ofNames, files.complete(session, line, candidates));
  }
}
