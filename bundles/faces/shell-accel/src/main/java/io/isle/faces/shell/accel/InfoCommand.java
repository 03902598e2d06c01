package io.isle.faces.shell.accel;

import io.isle.api.accel.AcceleratorInfo;
import io.isle.api.accel.Accelerators;
import io.isle.api.accel.ProgramKind;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code accel:info}. */
@Service
@Command(
    scope = "accel",
    name = "info",
    description =
        "Shows the limits of an open device, its scheduling, its preemption and its programs")
@RequiredRole(Role.VIEWER)
public final class InfoCommand extends IsleCommand {
  @Argument(name = "device", description = "Id of the device, such as soft0", required = true)
  @Completion(DeviceCompleter.class)
  private String device;

  @Override
  protected void run(Output output) {
    List<AcceleratorInfo> found =
        DeviceFilter.keep(
            services(),
            device,
            services().with(Accelerators.class, Accelerators::list),
            AcceleratorInfo::id);
    if (found.isEmpty()) {
      throw ShellException.failed(device + " is not open; see device:info " + device);
    }
    Map<String, Object> info = object(found.getFirst());
    if (output.json()) {
      output.document(info);
    } else {
      info.forEach((key, value) -> output.line(line(key, value)));
    }
  }

  /** For tests. */
  InfoCommand of(String id) {
    device = id;
    return this;
  }

  private static Map<String, Object> object(AcceleratorInfo info) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("id", info.id());
    object.put("class", info.deviceClass().text());
    object.put("tier", info.tier());
    object.put("compute_units", info.computeUnits());
    object.put("memory_bytes", info.memoryBytes());
    object.put("memory_used", info.memoryUsedBytes());
    object.put("contexts", info.contexts());
    object.put("max_contexts", info.maxContexts());
    object.put("max_command_bytes", info.maxCommandBytes());
    object.put("preemption", info.preemption());
    object.put("scheduling", info.scheduling());
    object.put("program_kinds", info.programKinds().stream().map(ProgramKind::text).toList());
    object.put("builtins", info.builtins());
    return object;
  }

  private static String line(String key, Object value) {
    Object text =
        value instanceof List<?> list
            ? String.join(", ", list.stream().map(String::valueOf).toList())
            : value;
    return String.format("%-20s%s", key.replace('_', ' '), text.equals("") ? "-" : text);
  }
}
