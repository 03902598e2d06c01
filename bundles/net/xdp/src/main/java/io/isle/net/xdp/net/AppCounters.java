package io.isle.net.xdp.net;

import io.isle.api.net.NetCounter;
import io.isle.net.xdp.tap.Overruns;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The counters of an app of the platform on one net. */
final class AppCounters {
  private final String net;
  private final String app;
  private final List<NetCounter> rows = new ArrayList<>();

  private AppCounters(String net, String app) {
    this.net = net;
    this.app = app;
  }

  /**
   * Reads the counters.
   *
   * @param kind counters of the kind, by name
   */
  static List<NetCounter> of(String net, String app, AppFeed feed, Map<String, Long> kind) {
    return new AppCounters(net, app).read(feed, kind);
  }

  private List<NetCounter> read(AppFeed feed, Map<String, Long> kind) {
    Overruns lost = feed.lost();
    long polling = lost.polling();
    long reading = lost.reading();
    long passed = feed.received();
    add("app", "seen", passed + polling + reading);
    add("app", "passed", passed);
    add("app", "overrun_polling", polling);
    add("app", "overrun_reading", reading);
    add("app", "sent", feed.sent());
    kind.forEach((name, value) -> add("kind", name, value));
    return rows;
  }

  private void add(String group, String name, long value) {
    rows.add(new NetCounter(net, -1, app, group, name, value));
  }
}
