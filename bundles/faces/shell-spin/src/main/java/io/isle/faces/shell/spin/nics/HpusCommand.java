package io.isle.faces.shell.spin.nics;

import io.isle.api.spin.Nic;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code spin:hpus}. */
@Service
@Command(
    scope = "spin",
    name = "hpus",
    description = "Shows what HPUs (handler processing units) do")
@RequiredRole(Role.VIEWER)
public final class HpusCommand extends IsleCommand {
  @Argument(name = "nic", description = "Name of the interface; all if left out")
  @Completion(NicCompleter.class)
  private String nic;

  @Override
  protected void run(Output output) {
    output.table(NicRows.hpus(), NicRows.of(services(), nic, Nic::hpus));
  }

  /** For tests. */
  HpusCommand of(String name) {
    nic = name;
    return this;
  }
}
