package io.isle.spin.nic.manage;

import io.isle.api.observe.Metric;
import io.isle.api.observe.Metric.Kind;
import io.isle.api.spin.ContextInfo;
import io.isle.api.spin.ContextState;
import io.isle.api.spin.ContextStats;
import io.isle.api.spin.NicInfo;
import io.isle.api.spin.SpinException;
import io.isle.spin.nic.live.LiveContext;
import io.isle.spin.nic.live.LiveNic;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Figures of interfaces and contexts for monitoring. */
final class NicMetrics {
  private static final String NIC = "isle_spin_";
  private static final String CONTEXT = "isle_spin_context_";
  private static final double NS = 1e9;

  private final List<Metric> all = new ArrayList<>();
  private Map<String, String> labels = Map.of();

  private NicMetrics() {}

  /**
   * All figures.
   *
   * @param waiting contexts of the settings that are not attached
   */
  static List<Metric> of(List<LiveNic> nics, List<ContextInfo> waiting) {
    NicMetrics metrics = new NicMetrics();
    for (LiveNic nic : nics) {
      try {
        NicInfo info = nic.info();
        List<ContextInfo> contexts = nic.contexts().stream().map(LiveContext::info).toList();
        metrics.nic(info);
        contexts.forEach(metrics::context);
      } catch (SpinException e) {
        // it ends just now
        continue;
      }
    }
    waiting.forEach(metrics::context);
    return metrics.all;
  }

  private void nic(NicInfo nic) {
    labels = Map.of("nic", nic.name());
    gauge(NIC + "up", "1 while the ports are open, else 0", nic.state().equals("up") ? 1 : 0);
    gauge(NIC + "parallel", "most handlers that run at a time", nic.parallel());
    gauge(NIC + "running", "handlers that run and do not wait for the host", nic.running());
    counter(NIC + "received_frames_total", "frames from the port", nic.received());
    counter(NIC + "dropped_frames_total", "frames that the ports could not pass on", nic.dropped());
    counter(NIC + "unmatched_frames_total", "frames that matched no context", nic.unmatched());
    counter(NIC + "sent_frames_total", "frames that the port has taken", nic.sent());
    counter(NIC + "unsent_frames_total", "frames that the port has not taken", nic.unsent());
  }

  private void context(ContextInfo context) {
    Map<String, String> names = new LinkedHashMap<>();
    names.put("nic", context.nic());
    names.put("context", context.name());
    labels = names;
    boolean up = context.state() == ContextState.ATTACHED;
    gauge(CONTEXT + "up", "1 while the context takes packets, else 0", up ? 1 : 0);
    if (context.state() == ContextState.DETACHED) {
      return;
    }
    gauge(CONTEXT + "slots", "packets that the context holds", context.slots());
    ContextStats stats = context.stats();
    counter(CONTEXT + "packets_total", "packets that were taken", stats.packets());
    counter(CONTEXT + "bytes_total", "bytes of these packets", stats.bytes());
    String dropped = CONTEXT + "dropped_packets_total";
    String why = "packets that match and were not taken, by reason";
    counter(dropped, why, "reason", "length", stats.droppedLength());
    counter(dropped, why, "reason", "slots", stats.droppedSlots());
    counter(dropped, why, "reason", "recovery", stats.droppedRecovery());
    counter(CONTEXT + "lost_packets_total", "packets lost in a recovery", stats.lost());
    String messages = CONTEXT + "messages_total";
    counter(messages, "messages by their outcome", "outcome", "ended", stats.messages());
    counter(messages, "messages by their outcome", "outcome", "aborted", stats.aborted());
    counter(CONTEXT + "handlers_total", "handlers that have run", stats.tasks());
    counter(CONTEXT + "traps_total", "handlers that have not returned", stats.traps());
    counter(CONTEXT + "hpu_seconds_total", "time of the HPUs", stats.hpuNs() / NS);
    counter(CONTEXT + "sent_frames_total", "frames that handlers have sent", stats.sends());
    counter(CONTEXT + "sent_bytes_total", "bytes of these frames", stats.sentBytes());
    counter(CONTEXT + "host_requests_total", "requests to the host", stats.hostRequests());
    counter(
        CONTEXT + "failed_calls_total",
        "calls that named memory outside of the context's",
        stats.failed());
    counter(CONTEXT + "lost_text_bytes_total", "printed text that did not fit", stats.textLost());
  }

  private void gauge(String name, String help, double value) {
    all.add(new Metric(name, Kind.GAUGE, help, labels, value));
  }

  /** Some counters are those of a process that may write anything. */
  private void counter(String name, String help, double value) {
    all.add(new Metric(name, Kind.COUNTER, help, labels, Math.max(0, value)));
  }

  private void counter(String name, String help, String label, String text, double value) {
    Map<String, String> more = new LinkedHashMap<>(labels);
    more.put(label, text);
    all.add(new Metric(name, Kind.COUNTER, help, more, value));
  }
}
