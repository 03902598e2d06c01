package io.isle.spin.jobs;

import io.isle.api.jobs.ActionMistake;
import io.isle.api.jobs.ActionParameter;
import io.isle.api.jobs.ActionParameter.Kind;
import io.isle.api.jobs.ActionStep;
import io.isle.api.jobs.ActionValues;
import io.isle.api.jobs.JobAction;
import io.isle.api.spin.ContextSpec;
import io.isle.api.spin.HandlerBuilds;
import io.isle.api.spin.HandlerRuns;
import io.isle.api.spin.MemoryRegion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** A step that runs handlers on a capture, as the command {@code spin:run}. */
@Component(service = JobAction.class)
public final class SpinAction implements JobAction {
  static final String HANDLERS = "handlers";
  static final String INSTALLED = "installed";
  static final String CFLAGS = "cflags";
  static final String CAPTURE = "capture";
  static final String RULES = "rules";
  static final String OUT = "out";
  static final String UNMATCHED = "unmatched";
  static final String INIT = "init";
  static final String HOST_PAGES = "host_pages";
  static final String HOST_REPLY = "host_reply";
  static final String TRAPS = "traps";
  static final String COUNT = "count";

  private final HandlerRuns runs;
  private final HandlerBuilds builds;

  @Activate
  public SpinAction(@Reference HandlerRuns runs, @Reference HandlerBuilds builds) {
    this.runs = runs;
    this.builds = builds;
  }

  @Override
  public String key() {
    return "spin";
  }

  @Override
  public List<ActionParameter> parameters() {
    List<ActionParameter> all =
        new ArrayList<>(
            List.of(
                ActionParameter.of(HANDLERS, Kind.FILE).optional(),
                ActionParameter.of(INSTALLED, Kind.TEXT).optional(),
                ActionParameter.of(CFLAGS, Kind.TEXT).orElse(""),
                ActionParameter.of(CAPTURE, Kind.FILE),
                ActionParameter.of(RULES, Kind.TEXT).orElse(""),
                ActionParameter.of(OUT, Kind.OUT).optional(),
                ActionParameter.of(UNMATCHED, Kind.OUT).optional(),
                ActionParameter.of(INIT, Kind.FILE).optional(),
                ActionParameter.whole(HOST_PAGES, 0, ContextSpec.MAX_HOST_PAGES).orElse("16"),
                ActionParameter.choice(HOST_REPLY, "echo", "none").orElse("echo"),
                ActionParameter.choice(TRAPS, "fail", COUNT).orElse("fail")));
    for (MemoryRegion region : MemoryRegion.values()) {
      all.add(ActionParameter.of(region.text(), Kind.OUT).optional());
    }
    return List.copyOf(all);
  }

  @Override
  public Optional<ActionMistake> check(ActionValues values) {
    return StepSpec.mistake(values);
  }

  @Override
  public Set<String> measures() {
    return RunMeasures.NAMES;
  }

  @Override
  public void run(ActionStep step) throws IOException, InterruptedException {
    new SpinStep(runs, builds, step).run();
  }

  /** Whether a file of this parameter is to be written. */
  static boolean isWanted(ActionStep step, String out) {
    return step.values().has(out) && !step.values().text(out).isEmpty();
  }

  /** Texts of a list of words; none of an empty text. */
  static List<String> words(String text) {
    return Arrays.stream(text.strip().split("\\s+")).filter(word -> !word.isEmpty()).toList();
  }
}
