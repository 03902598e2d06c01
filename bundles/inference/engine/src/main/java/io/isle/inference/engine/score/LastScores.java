package io.isle.inference.engine.score;

/** The newest scores of the model and of the rule, so many at most. */
final class LastScores {
  private short[] model;
  private short[] heuristic;
  private int count;
  private int next;

  LastScores(int most) {
    model = new short[most];
    heuristic = new short[most];
  }

  void add(int ofModel, int ofHeuristic) {
    model[next] = (short) ofModel;
    heuristic[next] = (short) ofHeuristic;
    next = next + 1 == model.length ? 0 : next + 1;
    count = Math.min(count + 1, model.length);
  }

  /** The same with room for so many; the oldest go if there is less. */
  LastScores resized(int most) {
    LastScores other = new LastScores(most);
    for (int age = Math.min(count, most); age > 0; age--) {
      int place = Math.floorMod(next - age, model.length);
      other.add(model[place], heuristic[place]);
    }
    return other;
  }

  Score score(int correctFrom) {
    Tally tally = new Tally();
    for (int i = 0; i < count; i++) {
      tally.add(model[i], heuristic[i], correctFrom);
    }
    return tally.score();
  }
}
