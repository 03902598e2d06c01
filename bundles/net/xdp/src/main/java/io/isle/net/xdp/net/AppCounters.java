package io.isle.net.xdp.net;

import io.isle.api.net.NetCounter;
import io.isle.net.xdp.tap.Overruns;
import java.util.ArrayList;
import java.util.List;

/** The counters of an app of the platform on one net. */
final class AppCounters {
  private final String net;
  private final String app;
  private final List<NetCounter> rows = new ArrayList<>();

  private AppCounters(String net, String app) {
    this.net = net;
    this.app = app;
  }

  static List<NetCounter> of(String net, String app, AppWork work) {
    return new AppCounters(net, app).read(work);
  }

  private List<NetCounter> read(AppWork work) {
    Overruns lost = work.lost();
    long polling = lost.polling();
    long reading = lost.reading();
    long passed = work.received();
    add("app", "seen", passed + polling + reading);
    add("app", "passed", passed);
    add("app", "overrun_polling", polling);
    add("app", "overrun_reading", reading);
    add("app", "sent", work.sent());
    work.counters().forEach((name, value) -> add("kind", name, value));
    return rows;
  }

  private void add(String group, String name, long value) {
    rows.add(new NetCounter(net, -1, app, group, name, value));
  }
}
