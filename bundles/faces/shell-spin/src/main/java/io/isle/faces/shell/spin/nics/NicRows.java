package io.isle.faces.shell.spin.nics;

import io.isle.api.spin.HpuInfo;
import io.isle.api.spin.Nic;
import io.isle.api.spin.NicInfo;
import io.isle.api.spin.Nics;
import io.isle.api.spin.QueueInfo;
import io.isle.faces.shell.Services;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.Sizes;
import io.isle.faces.shell.Table;
import java.util.List;
import java.util.function.Function;

/** Interfaces, HPUs and queues as rows of tables. */
final class NicRows {
  private static final String NONE =
      "No network interfaces; a file io.isle.nic-NAME.cfg makes one.";

  private NicRows() {}

  /**
   * Something of the interface of a name, or of all.
   *
   * @param name null for all
   */
  static <T> List<T> of(Services services, String name, Function<Nic, List<T>> rows) {
    return services.with(
        Nics.class,
        nics ->
            (name == null ? nics.list() : List.of(nics.find(name).orElseThrow(() -> missing(name))))
                .stream().flatMap(nic -> rows.apply(nic).stream()).toList());
  }

  static List<NicInfo> infos(Services services, String name) {
    return of(services, name, nic -> List.of(nic.info()));
  }

  private static ShellException missing(String name) {
    return ShellException.failed(
        "no network interface '"
            + (name.length() > 40 ? name.substring(0, 40) + "..." : name)
            + "'; see spin:list");
  }

  private static Object orNull(String text) {
    return text.isEmpty() ? null : text;
  }

  static Table<NicInfo> list() {
    return new Table<NicInfo>(NONE)
        .column("nic", NicInfo::name)
        .whole()
        .column("device", NicInfo::device)
        .column("port", NicInfo::port)
        .column("host", nic -> orNull(nic.host()))
        .column("state", NicInfo::state)
        .whole()
        .column("contexts", NicInfo::contexts)
        .column("clusters", NicInfo::clusters)
        .spare()
        .column("hpus", "HPUs", NicInfo::hpus, String::valueOf)
        .spare()
        .column("parallel", NicInfo::parallel)
        .column("running", NicInfo::running)
        .column("received", NicInfo::received)
        .column("dropped", NicInfo::dropped)
        .column("unmatched", NicInfo::unmatched)
        .column("sent", NicInfo::sent)
        .column("unsent", NicInfo::unsent)
        .column("error", nic -> orNull(nic.error()));
  }

  static Table<HpuInfo> hpus() {
    return new Table<HpuInfo>(NONE)
        .column("nic", HpuInfo::nic)
        .whole()
        .column("hpu", "HPU", HpuInfo::hpu, String::valueOf)
        .column("cluster", HpuInfo::cluster)
        .column("state", HpuInfo::state)
        .column("context", hpu -> orNull(hpu.context()))
        .column("handler", hpu -> orNull(hpu.handler()))
        .column("queue", hpu -> hpu.queue() < 0 ? null : hpu.queue())
        .column("message", hpu -> hpu.queue() < 0 ? null : hpu.message())
        .column("running_ns", "running", HpuInfo::runningNs, Sizes::nanos);
  }

  static Table<QueueInfo> queues() {
    return new Table<QueueInfo>("No queue has a message or packets.")
        .column("nic", QueueInfo::nic)
        .whole()
        .column("context", QueueInfo::context)
        .whole()
        .column("queue", QueueInfo::queue)
        .column("state", QueueInfo::state)
        .column("message", QueueInfo::message)
        .column("waiting", QueueInfo::waiting)
        .column("running", QueueInfo::running)
        .column("idle_ns", "idle", QueueInfo::idleNs, Sizes::nanos);
  }
}
