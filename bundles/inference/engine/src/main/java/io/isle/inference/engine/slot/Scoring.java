package io.isle.inference.engine.slot;

import io.isle.api.inference.DecisionPoint;
import io.isle.inference.engine.decide.DecisionRecord;
import io.isle.inference.engine.decide.DecisionSlot;
import io.isle.inference.engine.decide.LoadedModel;
import io.isle.inference.engine.decide.SlotDecider;
import io.isle.inference.engine.score.ScoreWindow;
import io.isle.lib.model.ModelEngine;
import io.isle.lib.model.ModelRun;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Takes decisions with outcomes from the rings of a slot, in turn, and lets the rule and the models
 * answer again. One thread at a time.
 */
final class Scoring {
  /** Where the scores of a group go. */
  interface Book {
    /** For the model that serves; null for none. */
    LoadedModel serving();

    /** For the shadow; null for none. */
    LoadedModel shadow();

    /** A decision of a group that the model that serves has answered. */
    void ofServing(String group, int model, int heuristic);

    /** A decision that the shadow has answered. */
    void ofShadow(int model, int heuristic);
  }

  private static final int AT_ONCE = 16;

  private final DecisionSlot slot;
  private final DecisionPoint point;
  private final DecisionRecord record;
  private final int[] answer;
  private final ModelRun run = new ModelRun();
  private int first;

  Scoring(DecisionSlot slot) {
    this.slot = slot;
    point = slot.point();
    int outputs = slot.spec().outputs().size();
    record = new DecisionRecord(slot.spec().features().size(), outputs);
    answer = new int[outputs];
  }

  /**
   * One round.
   *
   * @param most decisions
   * @param seen called with each decision and the name of its group, before the scores
   * @return decisions taken
   */
  int round(int most, Book book, BiConsumer<String, DecisionRecord> seen) {
    int taken = last(most, book, seen);
    List<SlotDecider> deciders = new ArrayList<>(slot.deciders());
    int idle = 0;
    while (taken < most && idle < deciders.size()) {
      first = (first + 1) % deciders.size();
      int got = read(deciders.get(first), Math.min(AT_ONCE, most - taken), book, seen);
      taken += got;
      idle = got == 0 ? idle + 1 : 0;
    }
    return taken;
  }

  /** What is left of deciders that were closed. */
  private int last(int most, Book book, BiConsumer<String, DecisionRecord> seen) {
    int taken = 0;
    while (taken < most) {
      SlotDecider closed = slot.takeLeaving();
      if (closed == null) {
        break;
      }
      taken += read(closed, most - taken, book, seen);
    }
    return taken;
  }

  private int read(
      SlotDecider decider, int most, Book book, BiConsumer<String, DecisionRecord> seen) {
    int got = 0;
    while (got < most && decider.read(record)) {
      got++;
      seen.accept(decider.use().group(), record);
      score(decider.use().group(), book);
    }
    return got;
  }

  private void score(String group, Book book) {
    if (book.serving() == null && book.shadow() == null) {
      return;
    }
    point.heuristic(record.features, answer);
    int heuristic = scored();
    if (book.serving() != null && answers(book.serving())) {
      book.ofServing(group, scored(), heuristic);
    }
    if (book.shadow() != null && answers(book.shadow())) {
      book.ofShadow(scored(), heuristic);
    }
  }

  private int scored() {
    return Math.clamp(point.score(record.features, answer, record.actual), 0, ScoreWindow.PERFECT);
  }

  /** Whether the model, and not the rule in its place, would give the answer. */
  private boolean answers(LoadedModel model) {
    if (model.shape().isOutside(record.features)) {
      return false;
    }
    int result = model.engine().run(record.features, answer, run);
    while (result == ModelEngine.YIELDED) {
      run.resume();
      result = model.engine().run(record.features, answer, run);
    }
    return result == ModelEngine.DONE && model.shape().isValid(answer);
  }
}
