package io.isle.apps.jobs.run;

import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.accel.Program;
import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.fault.ActionBook;
import io.isle.apps.jobs.run.loop.Batches;
import io.isle.apps.jobs.run.loop.CheckpointPlan;
import io.isle.apps.jobs.run.loop.Cursor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The turns of a loop: many dispatches in a submission, two submissions on their way, and after a
 * crash again from the last checkpoint. Used by the stream's thread.
 */
final class LoopWork implements WholeWork.Computation {
  private static final Logger LOG = LoggerFactory.getLogger(LoopWork.class);
  private static final long TELL_NS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Turns without dispatches between two looks at the thread's interrupt flag. */
  private static final int MOST_EMPTY = 4096;

  /** Why no further batch is begun. */
  private enum Stop {
    /** A dispatch is next. */
    NONE,
    /** A turn is over after which a checkpoint is due, or an element to be looked at. */
    TURN,
    /** It is time for a checkpoint. */
    TIME,
    END
  }

  private final StepRun run;
  private final Env env;
  private final StreamContext stream;
  private final LoopProgram program;
  private final LoopMemory memory;
  private final Cursor cursor;
  private final Batches batches;
  private final LoopQueue queue;
  private final CheckpointPlan plan;
  private final Program[] programs;
  private final int[] bound;
  private final int[] uses;

  /** Of the last checkpoint; null for before the first turn. */
  private Cursor.Position position;

  /** Dispatches up to the end of the furthest batch that ended well. */
  private long furthest;

  /** Turns that were over then. */
  private long furthestTurn;

  /** Turns that were run again. */
  private long repeated;

  private long beginNs;
  private long endNs;
  private int epoch;
  private boolean held;
  private long toldNs;

  /**
   * For a step.
   *
   * @param room bytes of a submission for operations
   */
  LoopWork(StepRun run, LoopProgram program, LoopMemory memory, long room) {
    this.run = run;
    this.env = run.env();
    this.stream = run.stream();
    this.program = program;
    this.memory = memory;
    cursor = new Cursor(program.root(), program.names(), program.variables());
    batches = new Batches(program.calls().stream().mapToLong(LoopCall::bytes).toArray(), room);
    queue = new LoopQueue(run, batches);
    plan = new CheckpointPlan(program.checkpoint());
    programs = new Program[program.calls().size()];
    bound = new int[program.names()];
    uses = new int[program.names()];
  }

  @Override
  public void compute() throws InterruptedException {
    position = null;
    furthest = 0;
    furthestTurn = 0;
    repeated = 0;
    beginNs = 0;
    memory.begin();
    again();
    ActionBook measures = env.actions();
    measures.measure(run.ref(), "turns", cursor.turn());
    measures.measure(run.ref(), "held", held ? 1 : 0);
    measures.measure(run.ref(), "repeated", repeated);
    measures.measure(run.ref(), "seconds", beginNs == 0 ? 0 : (endNs - beginNs) / 1e9);
  }

  /** Runs the turns since the last checkpoint. */
  @Override
  public void again() throws InterruptedException {
    RetryPolicy.insist(env, stream, run.step(), this::attempt);
  }

  private int attempt(RetryPolicy policy) throws InterruptedException {
    int code = stream.settle();
    if (code != 0) {
      return code;
    }
    epoch = stream.epoch();
    Context context = stream.context();
    code = memory.restore();
    if (code != 0) {
      return code;
    }
    for (int i = 0; i < programs.length; i++) {
      programs[i] = stream.load(program.calls().get(i).source());
    }
    if (stream.context() != context) {
      // What was brought first went with the old context.
      return -Errno.EINTR;
    }
    reset();
    code = turns(policy);
    if (code != 0) {
      // the next try changes memory that these may use
      queue.drain();
    }
    return code;
  }

  private void reset() {
    held = false;
    if (position == null) {
      cursor.reset();
    } else {
      cursor.reset(position);
    }
    repeated += Math.max(0, furthestTurn - cursor.turn());
    plan.begin(cursor.turn(), System.nanoTime(), memory.writtenBytes());
    queue.begin();
    var ignored = batches.close();
  }

  private int turns(RetryPolicy policy) throws InterruptedException {
    int code = prepare();
    while (code == 0) {
      Stop stop = next();
      if (stop == Stop.NONE && queue.hasRoom()) {
        beginNs = beginNs == 0 ? System.nanoTime() : beginNs;
        code = queue.submit(this::write, cursor);
      } else if (!queue.isEmpty()) {
        code = takeOldest(policy);
      } else if (stop == Stop.END) {
        endNs = System.nanoTime();
        code = memory.finish(cursor);
        // A recovery in between may have left results of memory that was not there any more.
        return code == 0 && stream.epoch() != epoch ? -Errno.ENODATA : code;
      } else {
        code = stopped(stop);
      }
    }
    return code;
  }

  private int prepare() throws InterruptedException {
    boolean copies = false;
    for (Program loaded : programs) {
      copies |= !loaded.kernels().isEmpty();
    }
    return memory.needsPreparing(copies) ? queue.submit(memory::prepare) : 0;
  }

  /** Passes by what needs no submission; says why the next dispatch must wait, if it must. */
  private Stop next() throws InterruptedException {
    while (!passes(MOST_EMPTY)) {
      if (Thread.interrupted()) {
        throw new InterruptedException("cancelled");
      }
    }
    return switch (cursor.event()) {
      case END -> Stop.END;
      case TURN -> Stop.TURN;
      case RUN -> plan.isDue(System.nanoTime()) ? Stop.TIME : Stop.NONE;
    };
  }

  /** Goes on to a dispatch or a stop; false when so many turns were empty. */
  private boolean passes(int most) {
    for (int i = 0; i < most; i++) {
      if (cursor.event() != Cursor.Event.TURN || isCheckpoint() || isCheck()) {
        return true;
      }
      cursor.advance();
    }
    return false;
  }

  private boolean isCheckpoint() {
    return cursor.level() == 0 && plan.isDueAt(cursor.turn());
  }

  private boolean isCheck() {
    int until = cursor.loop().until();
    return until >= 0 && cursor.done() % program.untils().get(until).check() == 0;
  }

  private void write(CommandWriter writer) {
    memory.use(writer, bound);
    program.windows().forEach(window -> memory.show(writer, window));
    do {
      int step = cursor.step();
      LoopCall call = program.calls().get(step);
      for (int name = 0; name < uses.length; name++) {
        uses[name] = bound[cursor.buffer(name)];
        if (call.writes(name)) {
          memory.wrote(cursor.buffer(name));
        }
      }
      call.write(writer, programs[step], uses, cursor.variables());
      batches.add(step);
      cursor.advance();
    } while (passes(MOST_EMPTY)
        && cursor.event() == Cursor.Event.RUN
        && batches.takes(cursor.step()));
  }

  private int takeOldest(RetryPolicy policy) throws InterruptedException {
    LoopQueue.Sent oldest = queue.oldest();
    int status = queue.takeOldest();
    if (status != 0) {
      policy.interrupted(oldest.epoch(), oldest.point());
      return status;
    }
    if (oldest.batch() == null) {
      return 0;
    }
    if (stream.epoch() != epoch) {
      return -Errno.ENODATA;
    }
    if (oldest.runs() > furthest) {
      furthest = oldest.runs();
      furthestTurn = oldest.turn();
      policy.advanced();
    }
    env.measures().finished(0, 0);
    tell(oldest.turn());
    return 0;
  }

  private void tell(long turn) {
    long now = System.nanoTime();
    if (now - toldNs >= TELL_NS) {
      toldNs = now;
      env.observer().turn(run.ref().step(), turn, cursor.turns());
    }
  }

  private int stopped(Stop stop) throws InterruptedException {
    int code = stop == Stop.TIME || isCheckpoint() ? checkpoint() : 0;
    if (code != 0 || stop == Stop.TIME) {
      return code;
    }
    if (!isCheck()) {
      cursor.advance();
      return 0;
    }
    LoopUntil until = program.untils().get(cursor.loop().until());
    boolean[] holds = new boolean[1];
    code =
        memory.look(
            cursor.buffer(until.name()),
            until.offset(),
            until.type().bytes(),
            element -> holds[0] = until.holds(element));
    if (code == 0 && holds[0]) {
      held |= cursor.level() == 0;
      cursor.leave();
    } else if (code == 0) {
      cursor.advance();
    }
    return code;
  }

  private int checkpoint() throws InterruptedException {
    long since = System.nanoTime();
    try {
      int code = memory.copy();
      if (code != 0) {
        return code;
      }
    } catch (JobException e) {
      if (e.code() != Errno.ENOMEM || program.checkpoint().isPresent()) {
        throw e;
      }
      LOG.warn(
          "job {}: the step {} takes no further checkpoints, and goes on from turn {} after a"
              + " crash: {}",
          env.jobId(),
          run.ref().text(),
          position == null ? 0 : position.turn(),
          e.getMessage());
      plan.giveUp();
      return 0;
    }
    if (stream.epoch() != epoch) {
      return -Errno.ENODATA;
    }
    memory.keep();
    position = cursor.position();
    plan.taken(cursor.turn(), since, System.nanoTime());
    return 0;
  }
}
