package io.isle.faces.shell.accel;

import io.isle.api.health.FaultInjector;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code accel:inject-fault}. */
@Service
@Command(
    scope = "accel",
    name = "inject-fault",
    description =
        "Plans a fault for coming submissions of a device; needs the device's setting"
            + " fault_injection = true")
@RequiredRole(value = Role.ADMIN, reason = "A planned fault interrupts the work of tenants.")
public final class InjectFaultCommand extends IsleCommand {
  @Argument(name = "device", description = "Id of the device, such as soft0", required = true)
  @Completion(DeviceCompleter.class)
  private String device;

  @Argument(
      index = 1,
      name = "fault",
      description =
          "latency, context_error, partial_error, hang, segv, abort, exit, lost_completion,"
              + " ecc_correctable, ecc_uncorrectable, throttle, pcie_replay or hotplug",
      required = true)
  @Completion(FaultCompleter.class)
  private String fault;

  @Option(name = "--after", description = "Number of submissions before the fault; 0 if left out")
  private long after;

  @Option(name = "--count", description = "Number of submissions that get the fault; 1 if left out")
  private long count = 1;

  @Option(
      name = "--value",
      description =
          "Nanoseconds for latency and throttle, packets for pcie_replay, connector for hotplug;"
              + " unused by other kinds")
  private long value;

  @Override
  protected void run(Output output) {
    if (after < 0 || count < 1 || value < 0) {
      throw ShellException.usage("--after and --value must not be negative, --count is at least 1");
    }
    services()
        .with(
            FaultInjector.class,
            faults -> {
              faults.inject(device, fault, after, count, value);
              return true;
            });
    if (output.json()) {
      Map<String, Object> planned = new LinkedHashMap<>();
      planned.put("device", device);
      planned.put("fault", fault);
      planned.put("after", after);
      planned.put("count", count);
      planned.put("value", value);
      output.document(planned);
    } else {
      output.line(fault + " is planned on " + device);
    }
  }

  /** For tests. */
  InjectFaultCommand of(String id, String what, long spared, long times) {
    device = id;
    fault = what;
    after = spared;
    count = times;
    return this;
  }
}
