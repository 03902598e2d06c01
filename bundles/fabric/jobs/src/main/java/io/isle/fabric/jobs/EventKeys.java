package io.isle.fabric.jobs;

import io.isle.api.fabric.RingPlan;
import io.isle.api.jobs.ActionMistake;
import io.isle.api.jobs.ActionParameter;
import io.isle.api.jobs.ActionParameter.Kind;
import io.isle.api.jobs.ActionValues;
import io.isle.api.jobs.SetupEvent;
import io.isle.api.jobs.SetupResource;
import io.isle.lib.leap.ResizePlan;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The faults and changes of rings that a job's schedule can have, and their keys. */
final class EventKeys {
  static final String KILL = "kill";
  static final String HANG = "hang";
  static final String CUT = "cut";
  static final String RESTART = "restart";
  static final String RESIZE = "resize";
  static final String SWITCH = "switch";

  static final String NODE = "node";
  static final String FOR_MS = "for_ms";
  static final String TRANSPORT = "transport";
  static final String BOUNDARIES = "boundaries";

  private static final long MAX_MS = 600_000;

  static final List<SetupEvent> EVENTS =
      List.of(
          new SetupEvent(KILL, true, List.of(ActionParameter.of(NODE, Kind.TEXT))),
          new SetupEvent(
              HANG,
              true,
              List.of(
                  ActionParameter.of(NODE, Kind.TEXT),
                  ActionParameter.whole(FOR_MS, 1, MAX_MS).orElse("2000"))),
          new SetupEvent(
              CUT,
              true,
              List.of(
                  ActionParameter.of(NODE, Kind.TEXT),
                  ActionParameter.whole(FOR_MS, 0, MAX_MS).orElse("0"))),
          new SetupEvent(RESTART, true, List.of(ActionParameter.of(TRANSPORT, Kind.TEXT))),
          new SetupEvent(RESIZE, false, List.of(ActionParameter.of(BOUNDARIES, Kind.TEXT))),
          new SetupEvent(
              SWITCH,
              false,
              List.of(
                  ActionParameter.of(TRANSPORT, Kind.TEXT),
                  ActionParameter.of(NODE, Kind.TEXT).optional())));

  private EventKeys() {}

  /** Checks an event of a ring before the job begins. */
  static Optional<ActionMistake> check(SetupResource ring, String event, ActionValues values) {
    RingPlan plan = RingKeys.plan(ring);
    if (values.has(NODE)) {
      String node = values.text(NODE);
      int place = plan.names().indexOf(node);
      if (place < 0) {
        return mistake(NODE, "'" + node + "' is not one of " + String.join(", ", plan.names()));
      }
      if ((event.equals(KILL) || event.equals(HANG)) && (place == 0 || !RingKeys.isOwn(ring))) {
        return mistake(
            NODE,
            node
                + " runs in the platform's process; "
                + event
                + " needs a worker of a ring with 'process: own'");
      }
    }
    if (values.has(BOUNDARIES)) {
      try {
        ResizePlan resize = ResizePlan.of(plan.layers(), numbers(values.text(BOUNDARIES)));
        if (resize.workers() >= plan.nodes()) {
          return mistake(
              BOUNDARIES,
              "are for " + resize.workers() + " workers; the ring has " + (plan.nodes() - 1));
        }
      } catch (IllegalArgumentException e) {
        return mistake(BOUNDARIES, e.getMessage());
      }
    }
    return Optional.empty();
  }

  private static Optional<ActionMistake> mistake(String key, String message) {
    return Optional.of(new ActionMistake(key, message));
  }

  /**
   * The numbers of a resize.
   *
   * @throws IllegalArgumentException for another text
   */
  static int[] numbers(String text) {
    try {
      return Arrays.stream(text.strip().split("[\\s,]+")).mapToInt(Integer::parseInt).toArray();
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "' are not whole numbers, such as 4 8 12", e);
    }
  }
}
