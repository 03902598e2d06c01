package io.isle.faces.shell.net.link;

import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code net:link-info}. */
@Service
@Command(
    scope = "net",
    name = "link-info",
    description =
        "Shows a link in a file: sizes, places, sequence numbers, progress of reliable consumers")
@RequiredRole(Role.VIEWER)
public final class InfoCommand extends LinkCommand {
  @Override
  protected void run(Output output) {
    LinkInfo info = with(false, LinkInfo::of);
    info.print(output);
  }
}
