package io.isle.lib.shm;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * {@link AgentBells}, its ringers and the kernel, as steps that are atomic where the hardware and
 * the kernel make them so. {@link #explore} takes them in every order there is. Source 0 is the
 * core, sources 1 and 2 are processes, of which the second is removed meanwhile.
 */
final class BellsModel {
  /** What could be done wrong. */
  enum Flaw {
    NONE,
    /** The agent remembers where the bells stand after it looked for work. */
    LATE_LOOK,
    /** The agent says that it sleeps after the kernel has compared the words. */
    LATE_FLAG,
    /** Who rings asks whether the agent sleeps before it increments the bell. */
    EARLY_QUESTION,
    /** The agent waits on its own word alone. */
    ONE_WORD,
    /** A page is unmapped without waiting for the agent. */
    HASTY_REMOVAL,
    /** Who removes a page waits for the agent and does not ring. */
    SILENT_REMOVAL,
    /** The agent does not look whether a process was removed since its look. */
    OLD_SET
  }

  /** What came of all orders, or of those up to the first in which a flaw showed. */
  record Outcome(int states, int lostWakes, int deadReads, int mostWakes, int tooManyWakes) {}

  private static final int SOURCES = 3;
  private static final int REMOVED = 2;

  private enum Step {
    ENTER,
    SEE,
    LOOK_0,
    LOOK_1,
    LOOK_2,
    LEAVE,
    WORK_0,
    WORK_1,
    WORK_2,
    DECIDE,
    FLAG,
    COMPARE_SET,
    QUEUE_0,
    QUEUE_1,
    QUEUE_2,
    BLOCK,
    COUNT,
    UNFLAG
  }

  // A state is an array of these, each of 0 to 31.
  private static final int PC = 0;
  private static final int SLEEPING = 1;
  private static final int USING = 2; // whether the agent uses pages
  private static final int SET = 3; // whether the process that is removed is in the set
  private static final int SEEN = 4;
  private static final int MAPPED = 5;
  private static final int FOUND = 6;
  private static final int WOKEN = 7; // by which source, from 1
  private static final int REMOVER = 8;
  private static final int AWAITED = 9; // whether the remover waits for the end of a use
  private static final int REMOVER_ASKED = 10;
  private static final int RUNG = 11; // whether the bell differs from what the agent remembers
  private static final int WORK = RUNG + SOURCES;
  private static final int QUEUED = WORK + SOURCES;
  private static final int RINGER = QUEUED + SOURCES;
  private static final int ASKED = RINGER + SOURCES;
  private static final int WAKES = ASKED + SOURCES;
  private static final int SIZE = WAKES + SOURCES;
  private static final int[] BITS = {
    5, 1, 1, 1, 1, 1, 1, 2, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 4, 4, 4, 1, 1, 1, 3, 3, 3
  };

  private final Flaw flaw;
  private final boolean counting;
  private final int[] rounds;
  private final Step[] program;
  private final LongSet known = new LongSet();
  private final Deque<int[]> open = new ArrayDeque<>();
  private int lostWakes;
  private int deadReads;
  private int mostWakes;
  private int tooManyWakes;

  /**
   * @param counting whether the wakes of each process are part of a state
   * @param rounds how often each source gives work and rings
   */
  BellsModel(Flaw flaw, boolean counting, int... rounds) {
    this.flaw = flaw;
    this.counting = counting;
    this.rounds = rounds;
    Step[] look = {Step.ENTER, Step.SEE, Step.LOOK_0, Step.LOOK_1, Step.LOOK_2, Step.LEAVE};
    Step[] work = {Step.WORK_0, Step.WORK_1, Step.WORK_2};
    Step[] queue = {Step.QUEUE_0, Step.QUEUE_1, Step.QUEUE_2};
    boolean late = flaw == Flaw.LATE_LOOK;
    boolean unflagged = flaw == Flaw.LATE_FLAG;
    program =
        join(
            late ? work : look,
            late ? look : work,
            new Step[] {Step.DECIDE},
            unflagged ? new Step[0] : new Step[] {Step.FLAG},
            new Step[] {Step.ENTER, Step.COMPARE_SET},
            queue,
            unflagged ? new Step[] {Step.FLAG} : new Step[0],
            new Step[] {Step.BLOCK, Step.COUNT, Step.LEAVE, Step.UNFLAG});
  }

  private static Step[] join(Step[]... parts) {
    return Arrays.stream(parts).flatMap(Arrays::stream).toArray(Step[]::new);
  }

  Outcome explore() {
    int[] first = new int[SIZE];
    first[SET] = 1;
    first[MAPPED] = 1;
    reach(first);
    while (!open.isEmpty() && (flaw == Flaw.NONE || lostWakes + deadReads == 0)) {
      int[] state = open.pop();
      boolean moved = agent(state);
      for (int s = 0; s < SOURCES; s++) {
        moved |= ringer(state, s);
      }
      moved |= remover(state);
      if (!moved && !isOver(state)) {
        lostWakes++;
      }
      for (int s = 1; s < SOURCES; s++) {
        int rings = (state[RINGER + s] + 2) / 4;
        tooManyWakes += state[WAKES + s] > 2 * rings ? 1 : 0;
        mostWakes = Math.max(mostWakes, state[WAKES + s]);
      }
    }
    return new Outcome(known.size(), lostWakes, deadReads, mostWakes, tooManyWakes);
  }

  private void reach(int[] state) {
    if (known.add(key(state))) {
      open.push(state);
    }
  }

  private static long key(int[] state) {
    long key = 0;
    for (int i = 0; i < SIZE; i++) {
      int bits = BITS[i];
      key = key << bits | state[i];
      if (state[i] >>> bits != 0) {
        throw new IllegalStateException("field " + i + " holds " + state[i]);
      }
    }
    return key;
  }

  /** Nobody can move, and that is as it should be. */
  private boolean isOver(int[] s) {
    return s[WORK] == 0 && s[WORK + 1] == 0 && s[REMOVER] == 5;
  }

  private boolean agent(int[] from) {
    int[] s = from.clone();
    Step step = program[s[PC]++];
    switch (step) {
      case ENTER -> s[USING] = 1;
      case LEAVE -> {
        s[USING] = 0;
        s[AWAITED] = 0;
      }
      case SEE -> s[SEEN] = s[SET];
      case LOOK_0, LOOK_1, LOOK_2 -> {
        int source = step.ordinal() - Step.LOOK_0.ordinal();
        if (listens(s, source)) {
          touch(s, source);
          s[RUNG + source] = 0;
        }
      }
      case WORK_0, WORK_1, WORK_2 -> {
        int source = step.ordinal() - Step.WORK_0.ordinal();
        s[FOUND] |= s[WORK + source] > 0 ? 1 : 0;
        s[WORK + source] = 0;
      }
      case DECIDE -> {
        s[PC] = s[FOUND] != 0 ? 0 : s[PC];
        s[FOUND] = 0;
      }
      case FLAG -> s[SLEEPING] = 1;
      case COMPARE_SET -> {
        if (s[SEEN] != s[SET] && flaw != Flaw.OLD_SET) {
          s[PC] = after(Step.COUNT);
        }
      }
      case QUEUE_0, QUEUE_1, QUEUE_2 -> {
        int source = step.ordinal() - Step.QUEUE_0.ordinal();
        if (listens(s, source) && (source == 0 || flaw != Flaw.ONE_WORD)) {
          touch(s, source);
          s[QUEUED + source] = 1;
          if (s[RUNG + source] == 1) {
            s[PC] = after(Step.BLOCK);
          }
        }
      }
      case BLOCK -> {
        if (s[WOKEN] == 0) {
          return false;
        }
      }
      case COUNT -> {
        for (int source = 0; source < SOURCES; source++) {
          if (listens(s, source)) {
            touch(s, source);
            boolean woke = s[WOKEN] - 1 == source || s[RUNG + source] == 1;
            s[WAKES + source] += woke && counting ? 1 : 0;
          }
          s[QUEUED + source] = 0;
        }
        s[WOKEN] = 0;
      }
      case UNFLAG -> {
        s[SLEEPING] = 0;
        s[PC] = 0;
      }
    }
    reach(s);
    return true;
  }

  private int after(Step step) {
    return Arrays.asList(program).indexOf(step) + 1;
  }

  private static boolean listens(int[] s, int source) {
    return source != REMOVED || s[SEEN] == 1;
  }

  private void touch(int[] s, int source) {
    if (source == REMOVED && s[MAPPED] == 0) {
      deadReads++;
    }
  }

  private boolean ringer(int[] from, int source) {
    int round = from[RINGER + source] / 4;
    if (round == rounds[source]) {
      return false;
    }
    int[] s = from.clone();
    int step = s[RINGER + source]++ % 4;
    boolean early = flaw == Flaw.EARLY_QUESTION;
    switch (step) {
      case 0 -> s[WORK + source] = 1;
      case 1 -> ringOrAsk(s, source, ASKED + source, !early);
      case 2 -> ringOrAsk(s, source, ASKED + source, early);
      default -> wake(s, source, ASKED + source);
    }
    reach(s);
    return true;
  }

  private static void ringOrAsk(int[] s, int source, int answer, boolean ring) {
    if (ring) {
      s[RUNG + source] = 1;
    } else {
      s[answer] = s[SLEEPING];
    }
  }

  private static void wake(int[] s, int source, int answer) {
    if (s[answer] == 1 && s[QUEUED + source] == 1) {
      s[QUEUED + source] = 0;
      s[WOKEN] = s[WOKEN] == 0 ? source + 1 : s[WOKEN];
    }
    s[answer] = 0;
  }

  /** Takes it out of the set, rings, waits until the agent is elsewhere, unmaps. */
  private boolean remover(int[] from) {
    int[] s = from.clone();
    switch (s[REMOVER]++) {
      case 0 -> {
        s[SET] = 0;
        s[REMOVER] = flaw == Flaw.HASTY_REMOVAL ? 4 : flaw == Flaw.SILENT_REMOVAL ? 3 : 1;
        s[AWAITED] = s[USING];
      }
      case 1 -> ringOrAsk(s, 0, REMOVER_ASKED, true);
      case 2 -> {
        ringOrAsk(s, 0, REMOVER_ASKED, false);
        wake(s, 0, REMOVER_ASKED);
      }
      case 3 -> {
        if (s[AWAITED] == 1) {
          return false;
        }
      }
      case 4 -> s[MAPPED] = 0;
      default -> {
        return false;
      }
    }
    reach(s);
    return true;
  }
}
