package io.isle.net.xdp.configure;

import io.isle.api.net.ConfiguredSetting;
import io.isle.net.xdp.configure.Knob.Reading;
import io.isle.net.xdp.configure.SavedValues.Saved;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The three ways to go through settings. Not thread-safe. */
final class Configurator {
  private final List<Knob> knobs;
  private final SavedValues saved;
  private final boolean dryRun;

  Configurator(List<Knob> knobs, SavedValues saved, boolean dryRun) {
    this.knobs = knobs;
    this.saved = saved;
    this.dryRun = dryRun;
  }

  List<ConfiguredSetting> check() {
    return knobs.stream().map(knob -> row(knob, knob.wanted(), knob.read(), "")).toList();
  }

  List<ConfiguredSetting> init() {
    List<ConfiguredSetting> rows = new ArrayList<>();
    for (Knob knob : knobs) {
      Reading now = knob.read();
      String wanted = knob.wanted();
      if (now.unsupported().isPresent()) {
        rows.add(row(knob, wanted, now, "left"));
      } else if (now.is().equals(wanted)) {
        rows.add(row(knob, wanted, now, "fine"));
      } else if (dryRun) {
        rows.add(row(knob, wanted, now, "would be set"));
      } else {
        // remembered first: a crash between both loses nothing
        saved.save(knob, now.is(), wanted);
        knob.write(wanted);
        rows.add(row(knob, wanted, knob.read(), "set, was " + now.is()));
      }
    }
    return rows;
  }

  List<ConfiguredSetting> fini() {
    List<ConfiguredSetting> rows = new ArrayList<>();
    for (Knob knob : knobs) {
      Optional<Saved> before = saved.find(knob);
      if (before.isPresent()) {
        rows.add(back(knob, before.get()));
      }
    }
    return rows;
  }

  private ConfiguredSetting back(Knob knob, Saved before) {
    Reading now = knob.read();
    boolean ours = now.is().equals(before.set());
    if (dryRun) {
      return row(knob, before.was(), now, ours ? "would be put back" : "would be left");
    }
    if (ours) {
      knob.write(before.was());
    }
    saved.forget(knob);
    return ours
        ? row(knob, before.was(), knob.read(), "put back")
        : row(knob, now.is(), now, "left: changed since by somebody else");
  }

  private static ConfiguredSetting row(Knob knob, String wanted, Reading now, String action) {
    return new ConfiguredSetting(
        knob.stage(),
        knob.interfaceName(),
        knob.setting(),
        now.is(),
        now.unsupported().isPresent() ? "" : wanted,
        now.persistent(),
        now.unsupported(),
        action);
  }
}
