package io.isle.lib.shm;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * {@link SharedSleep} of two agents, somebody who gives work to each and rings its bell, and the
 * kernel, as steps that are atomic where the hardware and the kernel make them so. {@link #explore}
 * takes them in every order there is.
 */
final class SharedSleepModel {
  /** What could be done wrong. */
  enum Flaw {
    NONE,
    /** The thread remembers where the second agent's bell stands after it looked for its work. */
    LATE_LOOK,
    /** The second agent says that it sleeps after the kernel has compared its word. */
    LATE_FLAG,
    /** The thread waits on the first agent's word alone. */
    ONE_WORD
  }

  /** What came of all orders. */
  record Outcome(int states, int lostWakes) {}

  private enum Step {
    LOOK_0,
    LOOK_1,
    WORK_0,
    WORK_1,
    DECIDE,
    FLAG_0,
    FLAG_1,
    QUEUE_0,
    QUEUE_1,
    BLOCK,
    UNFLAG_0,
    UNFLAG_1
  }

  // A state is an array of these; those of an agent are there twice.
  private static final int PC = 0;
  private static final int FOUND = 1;
  private static final int WOKEN = 2;
  private static final int SLEEPING = 3;
  private static final int RUNG = 5; // whether the bell differs from what the thread remembers
  private static final int WORK = 7;
  private static final int QUEUED = 9;
  private static final int RINGER = 11;
  private static final int ASKED = 13;
  private static final int SIZE = 15;

  private final Flaw flaw;
  private final int rounds;
  private final List<Step> program;
  private final Set<List<Integer>> known = new HashSet<>();
  private final Deque<int[]> open = new ArrayDeque<>();

  /**
   * @param rounds how often each agent is given work
   */
  SharedSleepModel(Flaw flaw, int rounds) {
    this.flaw = flaw;
    this.rounds = rounds;
    this.program =
        switch (flaw) {
          case NONE, ONE_WORD -> List.of(Step.values());
          case LATE_LOOK -> moved(Step.LOOK_1, Step.WORK_1);
          case LATE_FLAG -> moved(Step.FLAG_1, Step.QUEUE_1);
        };
  }

  private static List<Step> moved(Step step, Step behind) {
    List<Step> steps = new ArrayList<>(List.of(Step.values()));
    boolean ignored = steps.remove(step);
    steps.add(steps.indexOf(behind) + 1, step);
    return steps;
  }

  Outcome explore() {
    int lostWakes = 0;
    reach(new int[SIZE]);
    while (!open.isEmpty()) {
      int[] state = open.pop();
      boolean moved = thread(state);
      moved |= ringer(state, 0);
      moved |= ringer(state, 1);
      if (!moved && state[WORK] + state[WORK + 1] > 0) {
        lostWakes++;
      }
    }
    return new Outcome(known.size(), lostWakes);
  }

  private void reach(int[] state) {
    if (known.add(Arrays.stream(state).boxed().toList())) {
      open.push(state);
    }
  }

  /** Of the agents' thread. */
  private boolean thread(int[] from) {
    int[] s = from.clone();
    Step step = program.get(s[PC]++);
    switch (step) {
      case LOOK_0 -> s[RUNG] = 0;
      case LOOK_1 -> s[RUNG + 1] = 0;
      case WORK_0 -> work(s, 0);
      case WORK_1 -> work(s, 1);
      case DECIDE -> {
        s[PC] = s[FOUND] == 1 ? 0 : s[PC];
        s[FOUND] = 0;
      }
      case FLAG_0 -> s[SLEEPING] = 1;
      case FLAG_1 -> s[SLEEPING + 1] = 1;
      case QUEUE_0 -> queue(s, 0);
      case QUEUE_1 -> {
        if (flaw != Flaw.ONE_WORD) {
          queue(s, 1);
        }
      }
      case BLOCK -> {
        if (s[WOKEN] == 0) {
          return false;
        }
      }
      case UNFLAG_0 -> s[SLEEPING] = 0;
      case UNFLAG_1 -> {
        for (int agent = 0; agent < 2; agent++) {
          s[QUEUED + agent] = 0;
          s[SLEEPING + agent] = 0;
        }
        s[WOKEN] = 0;
        s[PC] = 0;
      }
    }
    reach(s);
    return true;
  }

  private static void work(int[] s, int agent) {
    s[FOUND] |= s[WORK + agent];
    s[WORK + agent] = 0;
  }

  /** The kernel does not sleep on a word that has changed. */
  private static void queue(int[] s, int agent) {
    s[QUEUED + agent] = 1;
    s[WOKEN] |= s[RUNG + agent];
  }

  /** Of who gives an agent work: gives it, rings, asks whether it sleeps, wakes. */
  private boolean ringer(int[] from, int agent) {
    if (from[RINGER + agent] == 4 * rounds) {
      return false;
    }
    int[] s = from.clone();
    switch (s[RINGER + agent]++ % 4) {
      case 0 -> s[WORK + agent] = 1;
      case 1 -> s[RUNG + agent] = 1;
      case 2 -> s[ASKED + agent] = s[SLEEPING + agent];
      default -> {
        s[WOKEN] |= s[ASKED + agent] & s[QUEUED + agent];
        s[ASKED + agent] = 0;
      }
    }
    reach(s);
    return true;
  }
}
