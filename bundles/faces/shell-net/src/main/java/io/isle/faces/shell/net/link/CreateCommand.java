package io.isle.faces.shell.net.link;

import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import io.isle.lib.tango.LinkFile;
import io.isle.lib.tango.LinkPlaces;
import io.isle.lib.tango.LinkPlan;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code net:link-create}. */
@Service
@Command(
    scope = "net",
    name = "link-create",
    description =
        "Makes a file with a link: a ring of metadata, memory for payloads, progress of reliable"
            + " consumers")
@RequiredRole(value = Role.ADMIN, reason = "A link is a file that the platform writes.")
public final class CreateCommand extends LinkCommand {
  @Option(
      name = "--depth",
      description = "Fragments that are visible at a time, a power of two from 128 to 16777216",
      required = true)
  int depth;

  @Option(name = "--mtu", description = "Most bytes of a payload, 1 to 65535", required = true)
  int mtu;

  @Option(
      name = "--burst",
      description = "Payloads that a producer prepares at a time, 1 to 65536; 1 if left out")
  int burst = 1;

  @Option(
      name = "--seq0",
      description =
          "First sequence number, 0 to 18446744073709551615, or -1 for the largest; 0 if left out")
  String seq0 = "0";

  @Option(
      name = "--fseqs",
      description =
          "Number of reliable consumers that the link has room for, 0 to 1024; 0 if left out")
  int fseqs;

  @Override
  protected void run(Output output) {
    Path file = file();
    LinkPlaces places = places();
    long first = sequence("--seq0", seq0);
    LinkPlan plan = usage(() -> new LinkPlan(depth, mtu, burst, first, fseqs));
    try {
      LinkFile.create(file, plan, places);
    } catch (IllegalArgumentException e) {
      throw ShellException.usage(e.getMessage());
    } catch (InternalError e) {
      throw ShellException.failed(file + " was not made; the disk is full: " + e.getMessage());
    } catch (IOException e) {
      throw ShellException.failed(reason(e));
    }
    with(
        false,
        link -> {
          LinkInfo.of(link).print(output);
          return null;
        });
  }
}
