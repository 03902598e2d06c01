package io.isle.core.testing;

import io.isle.api.base.Errno;
import io.isle.api.inference.Decider;
import io.isle.api.inference.Deciders;
import io.isle.api.inference.InferenceException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * An engine of inference whose model is a function of the test. Keeps what owners of decisions ask
 * and tell while it records; allocates nothing else.
 */
public final class FakeDeciders implements Deciders {
  /** A model. */
  public interface Model {
    /** Fills {@code out}; allocates nothing. */
    void answer(int[] features, int[] out);
  }

  /** What was asked. */
  public record Decision(long ticket, List<Integer> features) {}

  /** What was told. */
  public record Outcome(long ticket, List<Integer> actual) {}

  /** One that was opened. */
  public final class Opened implements Decider {
    public final String group;
    public final int outstanding;
    public final List<Decision> decisions = new CopyOnWriteArrayList<>();
    public final List<Outcome> outcomes = new CopyOnWriteArrayList<>();
    private volatile boolean closed;
    private long tickets;

    Opened(String group, int outstanding) {
      this.group = group;
      this.outstanding = outstanding;
    }

    @Override
    public long decide(int[] features, int[] out) {
      Model asked = model;
      if (asked == null) {
        Arrays.fill(out, 0);
      } else {
        asked.answer(features, out);
      }
      long ticket = ++tickets;
      if (recording) {
        decisions.add(new Decision(ticket, list(features)));
      }
      return ticket;
    }

    @Override
    public void outcome(long ticket, int[] actual) {
      if (recording) {
        outcomes.add(new Outcome(ticket, list(actual)));
      }
    }

    @Override
    public void requestYield() {}

    @Override
    public boolean wanted() {
      return model != null && !closed;
    }

    @Override
    public void close() {
      closed = true;
    }

    public boolean isClosed() {
      return closed;
    }
  }

  /** All that were opened, in order. */
  public final List<Opened> opened = new CopyOnWriteArrayList<>();

  private volatile Model model;
  private volatile boolean recording = true;
  private volatile boolean gone;

  /**
   * @param model null for none
   */
  public FakeDeciders(Model model) {
    this.model = model;
  }

  /** This model from now on; null for none. */
  public void setModel(Model now) {
    model = now;
  }

  /** Whether decisions and outcomes are kept. */
  public void setRecording(boolean now) {
    recording = now;
  }

  /** Opens nothing more. */
  public void go() {
    gone = true;
  }

  @Override
  public Decider open(String group, int outstanding, Runnable yieldHook) {
    if (gone) {
      throw new InferenceException(Errno.ECLOSED, "the engine has gone");
    }
    Opened decider = new Opened(group, outstanding);
    opened.add(decider);
    return decider;
  }

  private static List<Integer> list(int[] values) {
    List<Integer> list = new ArrayList<>();
    for (int value : values) {
      list.add(value);
    }
    return list;
  }
}
