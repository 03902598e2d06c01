package io.isle.apps.jobs.spec;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which step waits for which, over all streams: every reference leads somewhere, none in a ring.
 */
public final class StepGraph {
  private final Map<Buffers.StepRef, JobSpec.Step> steps = new HashMap<>();
  private final Map<Buffers.StepRef, List<Buffers.StepRef>> before = new LinkedHashMap<>();

  /**
   * The order of these steps, whose references were checked.
   *
   * @param streams of one job
   */
  public StepGraph(List<JobSpec.Stream> streams) {
    for (JobSpec.Stream stream : streams) {
      Buffers.StepRef last = null;
      for (JobSpec.Step step : stream.steps()) {
        Buffers.StepRef ref = stream.ref(step);
        steps.put(ref, step);
        List<Buffers.StepRef> waits = new ArrayList<>();
        if (last != null) {
          waits.add(last);
        }
        step.after().forEach(after -> waits.add(after.step()));
        before.put(ref, waits);
        last = ref;
      }
    }
    meet(streams);
  }

  /** Steps that begin together wait for all that one of them waits for. */
  private void meet(List<JobSpec.Stream> streams) {
    Map<String, Set<Buffers.StepRef>> barriers = new LinkedHashMap<>();
    for (JobSpec.Stream stream : streams) {
      for (JobSpec.Step step : stream.steps()) {
        Buffers.StepRef ref = stream.ref(step);
        step.pace()
            .barrier()
            .ifPresent(
                name -> barriers.computeIfAbsent(name, key -> new LinkedHashSet<>()).add(ref));
      }
    }
    for (Set<Buffers.StepRef> together : barriers.values()) {
      Set<Buffers.StepRef> all = new LinkedHashSet<>();
      together.forEach(ref -> all.addAll(before.get(ref)));
      together.forEach(ref -> before.put(ref, List.copyOf(all)));
    }
  }

  /**
   * Checks the references of all steps.
   *
   * @throws io.isle.api.jobs.JobException naming the reference
   */
  static void check(List<JobSpec.Stream> streams) {
    StepGraph graph = new StepGraph(streams);
    for (JobSpec.Stream stream : streams) {
      for (JobSpec.Step step : stream.steps()) {
        step.after().forEach(after -> graph.exists(after.step(), after.where()));
        step.buffers().inputs().forEach(graph::from);
      }
    }
    graph.checkOrder();
  }

  /** Whether {@code first} is certain to be done when {@code second} begins. */
  public boolean precedes(Buffers.StepRef first, Buffers.StepRef second) {
    Set<Buffers.StepRef> seen = new HashSet<>();
    Deque<Buffers.StepRef> open = new ArrayDeque<>(before.get(second));
    while (!open.isEmpty()) {
      Buffers.StepRef ref = open.remove();
      if (ref.equals(first)) {
        return true;
      }
      if (seen.add(ref)) {
        open.addAll(before.get(ref));
      }
    }
    return false;
  }

  private void exists(Buffers.StepRef ref, Located where) {
    if (!steps.containsKey(ref)) {
      throw where.error(
          "no step '"
              + ref.text()
              + "' exists; write STREAM/STEP, or STEP for a step of the same stream");
    }
  }

  private void from(Buffers.Input input) {
    if (!(input.source() instanceof Buffers.Source.OfStep source)) {
      return;
    }
    exists(source.step(), input.where());
    Buffers made = steps.get(source.step()).buffers();
    if (!made.named()) {
      throw input.where().error("the step " + source.step().text() + " has no named buffers");
    }
    if (made.output(source.buffer()).isEmpty()) {
      throw input
          .where()
          .error("the step " + source.step().text() + " has no output '" + source.buffer() + "'");
    }
    if (made.stream().isPresent()) {
      throw input
          .where()
          .error(
              "the step "
                  + source.step().text()
                  + " works in pieces; its results are only in files");
    }
  }

  /** Takes steps away that wait for none; what is left waits in a ring. */
  private void checkOrder() {
    Map<Buffers.StepRef, Integer> waits = new LinkedHashMap<>();
    Map<Buffers.StepRef, List<Buffers.StepRef>> followers = new HashMap<>();
    Deque<Buffers.StepRef> ready = new ArrayDeque<>();
    before.forEach(
        (ref, others) -> {
          waits.put(ref, others.size());
          others.forEach(
              other -> followers.computeIfAbsent(other, key -> new ArrayList<>()).add(ref));
          if (others.isEmpty()) {
            ready.add(ref);
          }
        });
    while (!ready.isEmpty()) {
      Buffers.StepRef ref = ready.remove();
      waits.remove(ref);
      for (Buffers.StepRef follower : followers.getOrDefault(ref, List.of())) {
        if (waits.merge(follower, -1, Integer::sum) == 0) {
          ready.add(follower);
        }
      }
    }
    if (!waits.isEmpty()) {
      Buffers.StepRef ref = inRing(waits.keySet());
      throw steps.get(ref).where().error("the steps wait for each other in a cycle: " + ref.text());
    }
  }

  /** Each of {@code left} waits for another one of it: so one that comes again is in a ring. */
  private Buffers.StepRef inRing(Set<Buffers.StepRef> left) {
    Set<Buffers.StepRef> seen = new HashSet<>();
    Buffers.StepRef ref = left.iterator().next();
    while (seen.add(ref)) {
      ref = before.get(ref).stream().filter(left::contains).findFirst().orElseThrow();
    }
    return ref;
  }
}
