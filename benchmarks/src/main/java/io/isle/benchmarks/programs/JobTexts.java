package io.isle.benchmarks.programs;

import java.util.List;
import java.util.function.UnaryOperator;

/** Job files of the cases. A loop is two steps, of which the first one warms up. */
final class JobTexts {
  private static final String LOOP =
      """
      job: bench
      device: opencl0
      steps:
      %s%sclaims:
        - {name: seconds, value: step.timed.seconds, goal: ">= 0"}
      """;

  private static final String CLAIM = "  - {name: %s, value: step.%s.seconds, goal: \">= 0\"}%n";

  private static final String STENCIL =
      """
        - name: STEP
          in: {now: {file: in, format: raw, type: f32, shape: [EDGE, EDGE]}}
          temp: {next: {type: f32, shape: [EDGE, EDGE]}}
          out: {now: {OUT}}
          loop:
            times: TURNS
            swap: [now, next]CHECKPOINT
            steps:
              - program: {file: stencil.cl, kernel: diffuse}
                args: [now, next, EDGE, EDGE]
                size: [16 * ceil(EDGE / 16), 16 * ceil(EDGE / 16)]
      """;

  private static final String UNTIL =
      """
        - name: STEP
          in: {now: {file: in, format: raw, type: f32, shape: [EDGE, EDGE]}}
          temp: {next: {type: f32, shape: [EDGE, EDGE]}, changed: {type: u32, shape: [1]}}
          out: {now: {OUT}}
          loop:
            times: 1000000
            swap: [now, next]
            until: {buffer: changed, goal: == 0, check: CHECK}
            steps:
              - {program: {file: until.cl, kernel: reset}, args: [changed], size: [1]}
              - {program: {file: until.cl, kernel: relax}, args: [now, next, changed], size: [EDGE, EDGE]}
      """;

  private static final String SORT =
      """
        - name: STEP
          in: {pairs: {file: in, format: raw, type: u32, shape: [n, 2]}}
          out: {pairs: {OUT}}
          loop:
            times: 1
            steps:
              - {program: {file: sort.cl, kernel: sort_tiles}, args: [pairs], size: [n / 2]}
              - loop:
                  for: k
                  from: 11
                  to: LOG + 1
                  steps:
                    - loop:
                        for: j
                        from: k - 1
                        to: 9
                        by: -1
                        steps:
                          - {program: {file: sort.cl, kernel: exchange}, args: [pairs, k, j], size: [n / 2]}
                    - {program: {file: sort.cl, kernel: merge_tiles}, args: [pairs, k], size: [n / 2]}
      """;

  private static final String FILE =
      """
      job: bench
      device: opencl0
      steps:
        - name: timed
          program: {file: files.cl, kernel: KERNEL}
          STREAMin: {x: {file: in, format: raw, type: f32, shape: [SHAPE]}}
          out: {y: {file: out, format: raw, type: f32, shape: [n]}}
          args: [30, 90]
          size: [n]
      """;

  private JobTexts() {}

  /** Turns of the example's stencil. */
  static String stencil(int edge, long turns) {
    return loop(step -> stencil(step, edge, turns, true), STENCIL);
  }

  /**
   * Turns of the example's stencil in steps of these names, one after the other: those of {@code
   * with} have the usual checkpoints, others have none. A step of few turns is first.
   */
  static String checkpoints(
      int edge, long first, long turns, List<String> names, List<String> with) {
    StringBuilder job = new StringBuilder("job: bench\ndevice: opencl0\nsteps:\n");
    job.append(step("warm", edge, first, true));
    StringBuilder claims = new StringBuilder("claims:\n");
    for (String name : names) {
      job.append(step(name, edge, turns, with.contains(name)));
      claims.append(CLAIM.formatted(name, name));
    }
    return job.append(claims).toString();
  }

  private static String step(String name, int edge, long turns, boolean checkpoints) {
    return stencil(STENCIL, edge, turns, checkpoints).replace("STEP", name).replace("OUT", "");
  }

  private static String stencil(String step, int edge, long turns, boolean checkpoints) {
    return step.replace("EDGE", Integer.toString(edge))
        .replace("TURNS", Long.toString(turns))
        .replace("CHECKPOINT", checkpoints ? "" : "\n      checkpoint: 0");
  }

  /** Turns until no cell changes by much, looked at after every {@code check}. */
  static String until(int edge, int check) {
    return loop(
        step ->
            step.replace("EDGE", Integer.toString(edge)).replace("CHECK", Integer.toString(check)),
        UNTIL);
  }

  /** The bitonic sort of 2^log pairs. */
  static String sort(int log) {
    return loop(step -> step.replace("LOG", Integer.toString(log)), SORT);
  }

  /**
   * A kernel over a file.
   *
   * @param shape of the input, the first extent {@code n}
   * @param streamed whether the file is processed in pieces
   */
  static String file(String kernel, String shape, boolean streamed) {
    return FILE.replace("KERNEL", kernel)
        .replace("SHAPE", shape)
        .replace("STREAM", streamed ? "stream: n\n    " : "");
  }

  private static String loop(UnaryOperator<String> fill, String step) {
    String filled = fill.apply(step);
    return LOOP.formatted(
        filled.replace("STEP", "warm").replace("OUT", ""),
        filled.replace("STEP", "timed").replace("OUT", "file: out, format: raw"));
  }
}
