package io.isle.benchmarks.inference;

import io.isle.benchmarks.Commands;
import io.isle.benchmarks.Settings;
import io.isle.lib.model.engine.NetPacking;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The net and its inputs for {@code bench-infer}, which calls the same kernel from C. */
final class NetFile {
  private final String program;
  private final Path file;

  NetFile(Settings settings, SampleNet net, Path folder) throws IOException {
    program = settings.nativeDirectory().resolve("bench-infer").toString();
    file = folder.resolve("net");
    int[] words = NetPacking.pack(net.form());
    int[][] inputs = net.inputs();
    ByteBuffer bytes =
        ByteBuffer.allocate(4 * (4 + words.length + inputs.length * SampleNet.FEATURES))
            .order(ByteOrder.nativeOrder());
    bytes.putInt(4 * words.length).putInt(SampleNet.FEATURES).putInt(SampleNet.OUTPUTS);
    bytes.putInt(inputs.length);
    bytes.asIntBuffer().put(words);
    bytes.position(bytes.position() + 4 * words.length);
    for (int[] input : inputs) {
      for (int value : input) {
        bytes.putInt(value);
      }
    }
    Files.write(file, bytes.array());
  }

  /** The answers to all inputs. */
  int[][] answers() throws IOException, InterruptedException {
    return ask("answers")
        .lines()
        .map(line -> List.of(line.split(" ")).stream().mapToInt(Integer::parseInt).toArray())
        .toArray(int[][]::new);
  }

  double nanos(int rounds) throws IOException, InterruptedException {
    return Double.parseDouble(ask(Integer.toString(rounds)));
  }

  private String ask(String what) throws IOException, InterruptedException {
    return Commands.output(
        List.of("taskset", "-c", LoopProcess.CPU, program, file.toString(), what));
  }
}
