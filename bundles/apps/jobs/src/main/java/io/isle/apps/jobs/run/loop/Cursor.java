package io.isle.apps.jobs.run.loop;

import java.util.Arrays;

/**
 * Where a loop stands: always at an event, from which {@link #advance} leads to the next one. Needs
 * memory for each level, none for each turn; between two events lies bounded work, however many
 * turns are empty. Used by one thread.
 */
public final class Cursor {
  /** Largest bound of a loop's variable: sums and numbers of turns stay within 64 bits. */
  public static final long MOST = 1L << 61;

  /** What a loop has come to. */
  public enum Event {
    /** A dispatch is next: {@link #step}. */
    RUN,
    /** A turn of the loop {@link #level} is over, names have changed places. */
    TURN,
    /** All is done. */
    END
  }

  private final LoopNode.Turns[] loops;
  private final int[] steps;
  private final long[] done;
  private final long[] turns;
  private final long[] from;
  private final long[] by;
  private final long[] variables;
  private final int[] order;
  private int level;
  private Event event;
  private long runs;

  /**
   * At the first event.
   *
   * @param names number of the names of buffers
   * @param variables number of the variables of all loops
   */
  public Cursor(LoopNode.Turns root, int names, int variables) {
    int depth = depth(root);
    loops = new LoopNode.Turns[depth];
    steps = new int[depth];
    done = new long[depth];
    turns = new long[depth];
    from = new long[depth];
    by = new long[depth];
    this.variables = new long[variables];
    order = new int[names];
    loops[0] = root;
    reset();
  }

  private static int depth(LoopNode.Turns loop) {
    int most = 0;
    for (LoopNode node : loop.steps()) {
      most = Math.max(most, node instanceof LoopNode.Turns inner ? depth(inner) : 0);
    }
    return most + 1;
  }

  /** To the first event, with each name for the buffer of its own number. */
  public void reset() {
    Arrays.setAll(order, name -> name);
    runs = 0;
    level = -1;
    enter(loops[0]);
    settle();
  }

  /** Enters a loop that has turns; one without is passed by. */
  private boolean enter(LoopNode.Turns loop) {
    int inner = level + 1;
    bounds(inner, loop);
    if (turns[inner] == 0) {
      return false;
    }
    level = inner;
    begin(level);
    return true;
  }

  private void bounds(int at, LoopNode.Turns loop) {
    loops[at] = loop;
    from[at] = loop.from().at(variables);
    by[at] = loop.by().at(variables);
    done[at] = 0;
    long to = loop.to().at(variables);
    long length = by[at] > 0 ? to - from[at] : from[at] - to;
    turns[at] = length <= 0 ? 0 : (length - 1) / Math.abs(by[at]) + 1;
  }

  private void begin(int at) {
    steps[at] = 0;
    assign(at, done[at]);
  }

  private void assign(int at, long turn) {
    int variable = loops[at].variable();
    if (variable >= 0) {
      variables[variable] = from[at] + by[at] * turn;
    }
  }

  /** From the place that the steps' numbers say to the event there. */
  private void settle() {
    while (level >= 0) {
      if (steps[level] == loops[level].steps().size()) {
        done[level]++;
        swap(loops[level]);
        event = Event.TURN;
        return;
      }
      LoopNode node = loops[level].steps().get(steps[level]);
      if (node instanceof LoopNode.Run) {
        event = Event.RUN;
        return;
      }
      if (!enter((LoopNode.Turns) node)) {
        steps[level]++;
      }
    }
    event = Event.END;
  }

  private void swap(LoopNode.Turns loop) {
    for (LoopNode.Swap swap : loop.swaps()) {
      int a = order[swap.a()];
      order[swap.a()] = order[swap.b()];
      order[swap.b()] = a;
    }
  }

  /** What it is at. */
  public Event event() {
    return event;
  }

  /** Goes on to the next event. */
  public void advance() {
    switch (event) {
      case RUN -> {
        runs++;
        steps[level]++;
        settle();
      }
      case TURN -> {
        if (done[level] < turns[level]) {
          begin(level);
          settle();
        } else {
          leave();
        }
      }
      case END -> throw new IllegalStateException("the loop has ended");
    }
  }

  /** At the end of a turn: no further turn of this loop runs. */
  public void leave() {
    if (event != Event.TURN) {
      throw new IllegalStateException("no turn ends here");
    }
    level--;
    if (level >= 0) {
      steps[level]++;
    }
    settle();
  }

  /** Number of the inner step of a {@link Event#RUN}. */
  public int step() {
    return ((LoopNode.Run) loops[level].steps().get(steps[level])).step();
  }

  /** The loop whose turn is over. */
  public LoopNode.Turns loop() {
    return loops[level];
  }

  /** Depth of {@link #loop}; 0 for the outermost. */
  public int level() {
    return level;
  }

  /** Turns of {@link #loop} that are over, of this run of it. */
  public long done() {
    return done[level];
  }

  /** Turns of the outermost loop that are over. */
  public long turn() {
    return done[0];
  }

  /** Turns of the outermost loop. */
  public long turns() {
    return turns[0];
  }

  /** Dispatches before this event. */
  public long runs() {
    return runs;
  }

  /** Value of each variable; of loops around the event only. */
  public long[] variables() {
    return variables;
  }

  /** The buffer, by number, that a name stands for at this event. */
  public int buffer(int name) {
    return order[name];
  }

  /** An event to return to. Immutable. */
  public static final class Position {
    private final Event event;
    private final int level;
    private final int[] steps;
    private final long[] done;
    private final int[] order;
    private final long runs;

    private Position(Cursor at) {
      event = at.event;
      level = at.level;
      steps = Arrays.copyOf(at.steps, at.level + 1);
      done = Arrays.copyOf(at.done, Math.max(1, at.level + 1));
      order = at.order.clone();
      runs = at.runs;
    }

    /** Dispatches before it. */
    public long runs() {
      return runs;
    }

    /** Turns of the outermost loop that are over. */
    public long turn() {
      return done[0];
    }
  }

  /** Remembers the event that it is at. */
  public Position position() {
    return new Position(this);
  }

  /** Returns to an event of the same loop. */
  public void reset(Position to) {
    reset();
    event = to.event;
    level = to.level;
    runs = to.runs;
    System.arraycopy(to.order, 0, order, 0, order.length);
    done[0] = to.done[0];
    for (int at = 0; at <= level; at++) {
      if (at > 0) {
        bounds(at, (LoopNode.Turns) loops[at - 1].steps().get(to.steps[at - 1]));
      }
      steps[at] = to.steps[at];
      done[at] = to.done[at];
      assign(at, at == level && event == Event.TURN ? done[at] - 1 : done[at]);
    }
  }
}
