package io.isle.inference.heuristics;

import io.isle.api.inference.Decider;
import io.isle.api.inference.Deciders;
import java.util.ArrayList;
import java.util.List;

/** Deciders that answer each decision with the same value and remember what they are told. */
final class TestEngine implements Deciders {
  final List<One> opened = new ArrayList<>();
  final int answer;

  TestEngine(int answer) {
    this.answer = answer;
  }

  @Override
  public Decider open(String group, int outstanding, Runnable yieldHook) {
    One decider = new One(group, outstanding);
    opened.add(decider);
    return decider;
  }

  /** One decider. */
  final class One implements Decider {
    final String group;
    final int outstanding;
    final List<Long> told = new ArrayList<>();
    volatile boolean closed;
    boolean yieldRequested;
    long tickets;

    One(String group, int outstanding) {
      this.group = group;
      this.outstanding = outstanding;
    }

    @Override
    public long decide(int[] features, int[] out) {
      java.util.Arrays.fill(out, answer);
      return ++tickets;
    }

    @Override
    public void outcome(long ticket, int[] actual) {
      told.add(ticket);
    }

    @Override
    public void requestYield() {
      yieldRequested = true;
    }

    @Override
    public boolean wanted() {
      return true;
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
