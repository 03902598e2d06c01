package io.isle.faces.shell.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.IsleException;
import io.isle.api.inference.FallbackInfo;
import io.isle.api.inference.Models;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.testing.FakeServices;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ModelCommandsTest {
  private final FakeModels models = new FakeModels();
  private final FakeServices services = new FakeServices().add(Models.class, models);

  @BeforeEach
  void slots() {
    models.slots.add(FakeModels.slot("a_decision", 10, FakeModels.SOUND));
  }

  @Test
  void filesAreThoseOfTheCaller() {
    String here = Path.of("").toAbsolutePath().toString();
    services.run(new LoadCommand().of("m.islemodel", false), true);
    services.run(new ShadowCommand().of("a/../n.islemodel", true), true);
    services.run(new CaptureCommand().of("a_decision", "out.csv", 5, 2), true);
    assertEquals(
        List.of(
            "load " + here + "/m.islemodel false",
            "shadow " + here + "/n.islemodel true",
            "capture a_decision " + here + "/out.csv 5 PT2S"),
        models.calls);
  }

  @Test
  void eachVerbIsPassedOn() {
    services.run(new UnloadCommand().of("a_decision"), true);
    services.run(new EnableCommand().of("a_decision", ""), true);
    services.run(new DisableCommand().of("a_decision", "team-a"), true);
    services.run(new HeuristicCommand().of("a_decision"), true);
    services.run(new ResetCommand().of("a_decision", "team-a"), true);
    services.run(new RollbackCommand().of("a_decision"), true);
    services.run(new RetryCommand().of("a_decision", ""), true);
    services.run(new HoldCommand().of("a_decision", "team-a"), true);
    assertEquals(
        List.of(
            "unload a_decision",
            "enable a_decision",
            "disable a_decision team-a",
            "heuristic a_decision",
            "reset a_decision team-a",
            "rollback a_decision",
            "retry a_decision",
            "hold a_decision team-a"),
        models.calls);
  }

  @Test
  void wrongArgumentsAreRefused() {
    assertThrows(IsleException.class, () -> services.run(new UnloadCommand().of("none"), true));
    assertThrows(IsleException.class, () -> services.run(new ListCommand().of("none"), true));
    assertThrows(
        ShellException.class,
        () -> services.run(new CaptureCommand().of("a_decision", "o", 0, 1), true));
    assertThrows(
        ShellException.class,
        () -> services.run(new CaptureCommand().of("a_decision", "o", 1, 0), true));
    assertEquals(List.of(), models.calls);
  }

  @Test
  void infoHasEveryFileOfTheFrameworkByItsName() {
    String json = services.run(new InfoCommand().of("a_decision"), true);
    for (String file :
        List.of(
            "model.bin",
            "active",
            "accuracy",
            "latency_ns",
            "invocations",
            "fallbacks",
            "fallback_reason",
            "fallback_duration_ms",
            "fallback_auto_recover",
            "require_admin_reset",
            "accuracy_threshold",
            "drift_detected",
            "auto_disable")) {
      assertTrue(json.contains("\"" + file + "\":"), file + " in " + json);
    }
    assertTrue(json.contains("\"active\":\"1\""), json);
    assertTrue(json.contains("\"fallback_reason\":\"\""), json);
    assertTrue(json.contains("\"fallback_duration_ms\":5,"), json);
    String text = services.run(new InfoCommand().of("a_decision"), false);
    assertTrue(text.contains("model.bin serial"), text);
    assertTrue(text.contains("group team-a fallback_reason"), text);
  }

  @Test
  void aFallbackIsShown() {
    models.slots.clear();
    models.slots.add(
        FakeModels.slot(
            "a_decision",
            1,
            new FallbackInfo("cycle_budget_exceeded", "", 9_000_000_000L, 4, "none", true, true)));
    String json = services.run(new InfoCommand().of("a_decision"), true);
    assertTrue(json.contains("\"active\":\"0\""), json);
    assertTrue(json.contains("\"require_admin_reset\":true"), json);
    String list = services.run(new ListCommand().of(null), false);
    assertTrue(list.contains("fallback"), list);
    assertTrue(list.contains("cycle_budget_exceeded team-a:drift"), list);
  }

  @Test
  void topHasRates() {
    TopReading before = new TopReading(0, List.of(FakeModels.slot("m", 10, FakeModels.SOUND)));
    TopReading now =
        new TopReading(2_000_000_000L, List.of(FakeModels.slot("m", 110, FakeModels.SOUND)));
    TopRow row = TopRow.between(before, now).getFirst();
    assertEquals(50.0, row.invocations());
    assertEquals(0.0, row.outcomes());
    String shown = String.join("\n", TopRow.table().lines(List.of(row), 0));
    assertTrue(shown.contains("0.750"), shown);
  }

  @Test
  void namesAreCompleted() {
    assertEquals(List.of("a_decision"), new ModelCompleter().ids(services));
    assertEquals(List.of("team-a"), new DecidingGroupCompleter().ids(services));
    assertEquals(List.of(), new ModelCompleter().ids(new FakeServices()));
  }
}
