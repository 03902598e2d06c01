package io.isle.benchmarks.inference;

import io.isle.benchmarks.Commands;
import io.isle.lib.model.form.TreeForm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A tree as a program in C, compiled for this machine. */
final class IfElseProgram {
  private static final String MAIN =
      """
      static unsigned input_of(unsigned round)
      {
          unsigned mixed = round * 0x9E3779B1u;
          return (mixed ^ mixed >> 15) * 0x85EBCA77u >> 20 & INPUTS - 1;
      }

      int main(int argc, char **argv)
      {
          static int input[INPUTS][FEATURES];
          FILE *file = argc == 3 ? fopen(argv[1], "rb") : NULL;
          if (!file || fread(input, sizeof input, 1, file) != 1)
              return 2;
          int answers = !strcmp(argv[2], "answers");
          long rounds = answers ? INPUTS : atol(argv[2]);
          struct timespec from, to;
          clock_gettime(CLOCK_MONOTONIC, &from);
          for (long i = 0; i < rounds; i++) {
              int out = tree(input[answers ? i : input_of(i)]);
              __asm__ volatile("" : : "r"(out) : "memory");
              if (answers)
                  printf("%d\\n", out);
          }
          clock_gettime(CLOCK_MONOTONIC, &to);
          if (!answers)
              printf("%.3f\\n", ((to.tv_sec - from.tv_sec) * 1e9 + (to.tv_nsec - from.tv_nsec)) / rounds);
          return 0;
      }
      """;

  private final String program;
  private final String inputFile;

  IfElseProgram(TreeForm form, int[][] inputs, Path folder)
      throws IOException, InterruptedException {
    StringBuilder text = new StringBuilder();
    for (String header : List.of("stdio", "stdlib", "string", "time")) {
      text.append("#include <").append(header).append(".h>\n");
    }
    text.append("#define INPUTS ").append(inputs.length).append('\n');
    text.append("#define FEATURES ").append(inputs[0].length).append('\n');
    text.append("static __attribute__((noinline)) int tree(const int *f)\n{\n");
    branch(form, form.roots()[0], text);
    text.append("}\n").append(MAIN);
    Path source = folder.resolve("tree.c");
    Files.writeString(source, text);
    program = folder.resolve("tree").toString();
    String ignored =
        Commands.output(List.of("gcc", "-O3", "-march=native", "-o", program, source.toString()));
    Path input = folder.resolve("inputs");
    inputFile = input.toString();
    ByteBuffer bytes =
        ByteBuffer.allocate(4 * inputs.length * inputs[0].length).order(ByteOrder.nativeOrder());
    for (int[] one : inputs) {
      for (int value : one) {
        bytes.putInt(value);
      }
    }
    Files.write(input, bytes.array());
  }

  private static void branch(TreeForm form, int node, StringBuilder text) {
    int left = form.left()[node];
    if (form.features()[node] == TreeForm.LEAF) {
      text.append("return ").append(form.rows()[left]).append(";\n");
      return;
    }
    text.append("if (f[").append(form.features()[node]).append("] <= ");
    text.append(form.thresholds()[node]).append(") {\n");
    branch(form, left, text);
    text.append("} else {\n");
    branch(form, left + 1, text);
    text.append("}\n");
  }

  int[] answers() throws IOException, InterruptedException {
    return ask("answers").lines().mapToInt(Integer::parseInt).toArray();
  }

  double nanos(int rounds) throws IOException, InterruptedException {
    return Double.parseDouble(ask(Integer.toString(rounds)));
  }

  private String ask(String what) throws IOException, InterruptedException {
    return Commands.output(List.of("taskset", "-c", LoopProcess.CPU, program, inputFile, what));
  }
}
