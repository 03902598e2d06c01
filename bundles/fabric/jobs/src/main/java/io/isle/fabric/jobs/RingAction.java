package io.isle.fabric.jobs;

import io.isle.api.fabric.Rings;
import io.isle.api.jobs.ActionMistake;
import io.isle.api.jobs.ActionParameter;
import io.isle.api.jobs.ActionParameter.Kind;
import io.isle.api.jobs.ActionStep;
import io.isle.api.jobs.ActionValues;
import io.isle.api.jobs.JobAction;
import io.isle.api.tenancy.Permission;
import io.isle.lib.drive.Positions;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** A step that sends a file round a ring, and writes the replies to another file. */
@Component(service = JobAction.class)
public final class RingAction implements JobAction {
  static final String NAME = "name";
  static final String FILE = "file";
  static final String OUT = "out";
  static final String WINDOW = "window";
  static final String POS = "pos";
  static final String POS_MAX = "pos_max";
  static final String NO_REPLY = "no_reply";
  static final String TIMEOUT = "timeout_ms";
  static final String VERIFY = "verify";
  static final String UNTIL = "until";

  private static final int MOST_WINDOW = 65_536;
  private static final int MOST_TIMEOUT_MS = 600_000;

  private final Rings rings;
  private final Drives drives;

  @Activate
  public RingAction(@Reference Rings rings, @Reference Drives drives) {
    this.rings = rings;
    this.drives = drives;
  }

  @Override
  public String key() {
    return "ring";
  }

  @Override
  public List<ActionParameter> parameters() {
    return List.of(
        ActionParameter.of(NAME, Kind.TEXT),
        ActionParameter.of(FILE, Kind.FILE),
        ActionParameter.of(OUT, Kind.OUT).optional(),
        ActionParameter.whole(WINDOW, 1, MOST_WINDOW).orElse("16"),
        ActionParameter.whole(POS, 0, Positions.ALL - 1).optional(),
        ActionParameter.whole(POS_MAX, 2, Positions.ALL).optional(),
        ActionParameter.whole(NO_REPLY, 0, Integer.MAX_VALUE).orElse("0"),
        ActionParameter.whole(TIMEOUT, 1, MOST_TIMEOUT_MS).orElse("5000"),
        ActionParameter.choice(VERIFY, "none", "mix").orElse("none"),
        ActionParameter.choice(UNTIL, "end", "faults").orElse("end"));
  }

  @Override
  public Optional<ActionMistake> check(ActionValues values) {
    return values.has(POS) && values.has(POS_MAX) && values.whole(POS) >= values.whole(POS_MAX)
        ? Optional.of(
            new ActionMistake(
                POS, values.text(POS) + " is not below pos_max, " + values.text(POS_MAX)))
        : Optional.empty();
  }

  @Override
  public Set<String> measures() {
    return RingMeasures.NAMES;
  }

  @Override
  public Set<Permission> permissions() {
    return Set.of(Permission.FABRIC_RING);
  }

  @Override
  public void run(ActionStep step) throws IOException, InterruptedException {
    new RingStep(rings, drives, step).run();
  }
}
