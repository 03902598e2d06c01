package io.isle.faces.shell.device;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.AccelAdmin.ComputeInfo;
import io.isle.api.accel.AccelAdmin.WorkErrorInfo;
import io.isle.api.accel.ContextInfo;
import io.isle.api.accel.GroupUsage;
import io.isle.api.accel.WorkError;
import io.isle.api.base.Errno;
import io.isle.api.device.DeviceHost;
import io.isle.api.device.DeviceNode;
import io.isle.api.device.DeviceTree;
import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryLog;
import io.isle.api.health.DeviceUtilization;
import io.isle.api.health.UtilizationInfo;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.Recoveries;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.Sizes;
import io.isle.faces.shell.Table;
import io.isle.faces.shell.Usages;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code device:info}. */
@Service
@Command(
    scope = "device",
    name = "info",
    description = "Shows a device in full: state, properties, use, settings")
@RequiredRole(Role.VIEWER)
public final class InfoCommand extends IsleCommand {
  @Argument(name = "id", description = "Id of the device, such as soft0", required = true)
  @Completion(DeviceCompleter.class)
  private String id;

  @Override
  protected void run(Output output) {
    DeviceRow row = DeviceRow.find(services(), id);
    Map<String, Object> info = new LinkedHashMap<>(DeviceRow.table().object(row));
    DeviceNode node = row.node();
    info.put("epoch", node.epoch());
    info.put("host_pid", node.hostPid().orElse(null));
    info.put("standby_pid", node.standbyPid().orElse(null));
    info.put("isolation", node.isolation().text());
    info.put("hosts", hosts(node));
    info.put("driver_version", node.driverVersion());
    info.put("rollback", node.rollback().isEmpty() ? null : node.rollback());
    info.put("error", node.error().isEmpty() ? null : node.error());
    info.put("properties", node.properties());
    info.put("services", node.services());
    info.put("interfaces", node.interfaces());
    info.put("sandbox", node.sandbox());
    List<Recovery> recoveries =
        services().ifThere(RecoveryLog.class, log -> log.of(id)).orElse(List.of());
    info.put("recoveries", recoveries.size());
    info.put("last_recovery", recoveries.isEmpty() ? null : object(recoveries.getLast()));
    info.put("last_work_error", workError().orElse(null));
    info.put("utilisation", utilisation().map(InfoCommand::object).orElse(null));
    info.put("power", PowerRow.object(services(), id).orElse(null));
    info.put("compute", compute().map(InfoCommand::object).orElse(null));
    List<GroupUsage> accounts = accounts();
    info.put("groups", accounts.stream().map(InfoCommand::object).toList());
    info.put("settings", services().with(DeviceTree.class, tree -> tree.settings(id)));
    if (output.json()) {
      output.document(info);
    } else {
      info.forEach(
          (key, value) -> {
            if (key.equals("groups") && !accounts.isEmpty()) {
              output.line(key);
              Usages.ofDevice().lines(accounts, 0).forEach(line -> output.line("  " + line));
            } else {
              print(output, key, value);
            }
          });
    }
  }

  /** For tests. */
  InfoCommand of(String device) {
    id = device;
    return this;
  }

  /** What groups were promised and have of it; the root stands for all of the device. */
  private List<GroupUsage> accounts() {
    return services().ifThere(AccelAdmin.class, AccelAdmin::groups).orElse(List.of()).stream()
        .filter(row -> row.device().equals(id))
        .toList();
  }

  private static Map<String, Object> object(GroupUsage row) {
    return Usages.ofDevice().object(row);
  }

  /** The newest work that its driver ended with an error. */
  private Optional<Map<String, Object>> workError() {
    return services().ifThere(AccelAdmin.class, AccelAdmin::workErrors).orElse(List.of()).stream()
        .filter(row -> row.device().equals(id))
        .findFirst()
        .map(InfoCommand::object);
  }

  private static Map<String, Object> object(WorkErrorInfo row) {
    WorkError error = row.error();
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("time", Instant.ofEpochMilli(row.epochMs()).toString());
    object.put("context", row.context());
    object.put("tenant", row.tenant());
    object.put("submission", error.point());
    object.put("outcome", error.outcome().toString());
    object.put("code", error.code() < 0 ? Errno.name(error.code()) : null);
    object.put("detail", error.code());
    object.put("line", error.line().isEmpty() ? null : error.line());
    object.put("count", row.count());
    return object;
  }

  private Optional<UtilizationInfo> utilisation() {
    return services()
        .ifThere(DeviceUtilization.class, DeviceUtilization::list)
        .flatMap(all -> all.stream().filter(use -> use.device().equals(id)).findFirst());
  }

  private Optional<ComputeInfo> compute() {
    return services()
        .ifThere(AccelAdmin.class, AccelAdmin::compute)
        .flatMap(all -> all.stream().filter(caps -> caps.device().equals(id)).findFirst());
  }

  private static Map<String, Object> object(Recovery recovery) {
    Map<String, Object> object = Recoveries.table().object(recovery);
    object.remove("device");
    return object;
  }

  private static Map<String, Object> object(ComputeInfo caps) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("isa_version", caps.isaVersion());
    object.put("max_workgroup_size", caps.maxWorkgroupSize());
    object.put("max_local_memory_bytes", caps.maxLocalMemory());
    object.put("shader_cores", caps.shaderCores());
    object.put("fp32_gflops", caps.fp32Gflops());
    object.put("fp16_gflops", caps.fp16Gflops());
    object.put("int8_tops", caps.int8Tops());
    object.put("tensor_cores", caps.tensorCores());
    return object;
  }

  private static Map<String, Object> object(UtilizationInfo use) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("compute_percent", use.computePercent());
    object.put("memory_bw_percent", use.memoryBandwidthPercent());
    object.put("memory_used_bytes", use.memoryUsedBytes());
    object.put("memory_total_bytes", use.memoryTotalBytes());
    object.put("active_contexts", use.activeContexts());
    object.put("temperature_mc", use.temperatureMilliCelsius());
    object.put("power_mw", use.powerMilliwatts());
    object.put("clock_mhz", use.clockMhz());
    return object;
  }

  /** The driver's processes, each with the contexts that it has. */
  private List<Map<String, Object>> hosts(DeviceNode node) {
    if (node.hosts().isEmpty()) {
      return List.of();
    }
    List<ContextInfo> contexts =
        services().ifThere(AccelAdmin.class, AccelAdmin::contexts).orElse(List.of()).stream()
            .filter(context -> context.device().equals(id))
            .toList();
    return node.hosts().stream().map(host -> object(host, contexts)).toList();
  }

  private static Map<String, Object> object(DeviceHost host, List<ContextInfo> contexts) {
    boolean all = host.group().isEmpty();
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("group", all ? null : host.group());
    object.put("pid", host.pid());
    object.put(
        "contexts",
        contexts.stream().filter(one -> all || one.group().equals(host.group())).count());
    return object;
  }

  private static String line(Map<?, ?> part) {
    return part.entrySet().stream()
        .map(entry -> entry.getKey() + " " + Table.plain(entry.getValue()))
        .collect(Collectors.joining(", "));
  }

  private static void print(Output output, String key, Object value) {
    String title = String.format("%-16s", key.replace('_', ' '));
    switch (value) {
      case null -> output.line(title + "-");
      case Map<?, ?> map -> {
        output.line(key);
        map.forEach((name, part) -> printPart(output, name, part));
      }
      case List<?> list when list.isEmpty() -> output.line(title + "-");
      case List<?> list -> {
        output.line(key);
        list.forEach(
            part -> output.line("  " + (part instanceof Map<?, ?> map ? line(map) : part)));
      }
      default -> output.line(title + value);
    }
  }

  /** Phases that never came and counters that are not kept have no line. */
  private static void printPart(Output output, Object name, Object part) {
    if (part != null) {
      String text = name.toString().endsWith("_ns") ? Sizes.nanos(part) : part.toString();
      output.line(String.format("  %-24s%s", name.toString().replaceFirst("_ns$", ""), text));
    }
  }
}
