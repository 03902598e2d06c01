package io.isle.benchmarks.programs;

import io.isle.benchmarks.Commands;
import io.isle.benchmarks.PeerMissingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The C program {@code bench-opencl-host}: the same kernels on the OpenCL library alone. */
final class HostProgram {
  private static final int NO_DEVICE = 3;

  private final Path program;

  HostProgram(Path nativeDirectory) {
    program = nativeDirectory.resolve("bench-opencl-host");
  }

  /**
   * Looks for an OpenCL device.
   *
   * @throws PeerMissingException naming what is to be installed
   */
  void check() throws IOException, InterruptedException {
    try {
      String ignored = Commands.output(List.of(program.toString(), "check"));
    } catch (Commands.FailedException e) {
      if (e.code() == NO_DEVICE) {
        throw new PeerMissingException(
            e.getMessage().strip() + ": apt-get install ocl-icd-libopencl1 pocl-opencl-icd");
      }
      throw e;
    }
  }

  /**
   * Does the work once to warm up and once more.
   *
   * @param cache a folder for the kernels that the library has built
   * @return nanoseconds of the second time
   */
  long run(Path cache, List<String> words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(words);
    Path folder = Files.createDirectories(cache);
    String printed = Commands.output(command, Map.of("POCL_CACHE_DIR", folder.toString())).strip();
    if (!printed.matches("ns [0-9]{1,18}")) {
      throw new IOException("bench-opencl-host printed '" + printed + "', not a time");
    }
    return Long.parseLong(printed.substring("ns ".length()));
  }
}
