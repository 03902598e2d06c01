package io.isle.benchmarks.inference;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Commands;
import io.isle.benchmarks.JavaProcess;
import io.isle.benchmarks.PeerMissingException;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import io.isle.lib.model.ModelRun;
import io.isle.lib.model.engine.ReferenceEngine;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** A tree's answer, against the same tree as branches in C. */
final class TreeCase implements Cases {
  private static final String ROW = "tree";
  private static final int ROUNDS = 1_000_000;
  private static final int WARM_UPS = 4;
  private static final double GOAL = 0.25;

  private final Settings settings;

  TreeCase(Settings settings) {
    this.settings = settings;
  }

  @Override
  public List<String> rows() {
    return List.of(ROW);
  }

  @Override
  public void checkPeers() {
    if (!Commands.exists("gcc")) {
      throw new PeerMissingException("gcc is missing: apt-get install gcc");
    }
  }

  @Override
  public List<Row> run() throws IOException, InterruptedException {
    int rounds = settings.size(ROUNDS, 100);
    double[] ours = new double[settings.size(InferenceBench.PAIRS, 1)];
    double[] theirs = new double[ours.length];
    try (Scratch scratch = new Scratch(settings);
        JavaProcess process = LoopProcess.start(settings, Loops.TREE)) {
      SampleTree tree = new SampleTree(1);
      int[][] inputs = SampleTree.inputs(Loops.TREE_INPUTS);
      IfElseProgram peer = new IfElseProgram(tree.form(), inputs, scratch.folder());
      if (!Arrays.equals(answers(tree, inputs), peer.answers())) {
        throw new IOException("the tree in C has other answers");
      }
      for (int i = 0; i < settings.size(WARM_UPS, 1); i++) {
        double ignored = process.ask(Integer.toString(rounds));
      }
      for (int i = 0; i < ours.length; i++) {
        ours[i] = process.ask(Integer.toString(rounds));
        theirs[i] = peer.nanos(rounds);
      }
    }
    return List.of(
        Row.against(
            InferenceBench.NAME,
            ROW,
            "ns",
            "lower",
            ours,
            theirs,
            "the same tree as if and else in C, gcc -O3",
            GOAL));
  }

  private static int[] answers(SampleTree tree, int[][] inputs) {
    ReferenceEngine engine = new ReferenceEngine(tree.form());
    ModelRun run = new ModelRun();
    int[] out = new int[1];
    int[] answers = new int[inputs.length];
    for (int i = 0; i < answers.length; i++) {
      int ignored = engine.run(inputs[i], out, run);
      answers[i] = out[0];
    }
    return answers;
  }
}
