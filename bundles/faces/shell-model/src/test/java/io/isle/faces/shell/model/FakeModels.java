package io.isle.faces.shell.model;

import io.isle.api.base.Errno;
import io.isle.api.inference.FallbackInfo;
import io.isle.api.inference.InferenceException;
import io.isle.api.inference.ModelInfo;
import io.isle.api.inference.Models;
import io.isle.api.inference.ScoreInfo;
import io.isle.api.inference.SlotInfo;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Models that remember what was asked of them. */
final class FakeModels implements Models {
  static final FallbackInfo SOUND = new FallbackInfo("", "", 0, 0, "none", true, false);
  final List<String> calls = new ArrayList<>();
  final List<SlotInfo> slots = new ArrayList<>();

  /** A slot with a model that has made so many calls. */
  static SlotInfo slot(String name, long invocations, FallbackInfo fallback) {
    ModelInfo model =
        new ModelInfo(
            "ab".repeat(32),
            "linear",
            7,
            Instant.EPOCH,
            "trainer (0123)",
            12,
            1,
            300,
            900,
            300,
            new ModelInfo.Counters(invocations, 5, 6, 80, 3, 1, 2, 4, 0),
            new ScoreInfo(6, 0.75, 0.5, false));
    return new SlotInfo(
        name,
        true,
        "active",
        false,
        "",
        5000,
        0.6,
        -0.05,
        true,
        OptionalLong.of(7),
        Optional.of(model),
        Optional.empty(),
        Optional.empty(),
        fallback,
        List.of(
            new SlotInfo.GroupInfo(
                "team-a",
                2,
                ScoreInfo.NONE,
                new FallbackInfo("drift", "accuracy=0.1", 5_000_000, 9, "warning", false, true))));
  }

  @Override
  public List<SlotInfo> slots() {
    return slots;
  }

  @Override
  public Optional<SlotInfo> find(String name) {
    return slots.stream().filter(slot -> slot.name().equals(name)).findFirst();
  }

  private void call(String verb, String name, String group) {
    if (find(name).isEmpty()) {
      throw new InferenceException(Errno.ENOENT, "no decision " + name);
    }
    calls.add((verb + " " + name + " " + group).strip());
  }

  @Override
  public SlotInfo load(Path file, boolean unsigned) {
    calls.add("load " + file + " " + unsigned);
    return slots.getFirst();
  }

  @Override
  public SlotInfo shadow(Path file, boolean unsigned) {
    calls.add("shadow " + file + " " + unsigned);
    return slots.getFirst();
  }

  @Override
  public void unload(String name) {
    call("unload", name, "");
  }

  @Override
  public void enable(String name, String group) {
    call("enable", name, group);
  }

  @Override
  public void disable(String name, String group) {
    call("disable", name, group);
  }

  @Override
  public void heuristic(String name) {
    call("heuristic", name, "");
  }

  @Override
  public void reset(String name, String group) {
    call("reset", name, group);
  }

  @Override
  public void rollback(String name) {
    call("rollback", name, "");
  }

  @Override
  public void retry(String name, String group) {
    call("retry", name, group);
  }

  @Override
  public void hold(String name, String group) {
    call("hold", name, group);
  }

  @Override
  public Captured capture(String name, Path file, long records, Duration most) {
    calls.add("capture " + name + " " + file + " " + records + " " + most);
    return new Captured(3, 1);
  }
}
