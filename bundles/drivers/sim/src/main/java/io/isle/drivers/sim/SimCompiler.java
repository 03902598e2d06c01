package io.isle.drivers.sim;

import io.isle.api.base.Errno;
import io.isle.api.driver.ArgumentKind;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.Kernel;
import io.isle.api.driver.ProgramEntry;
import io.isle.drivers.sim.ClTokens.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Compiles OpenCL C as far as a simulation needs: it reads the signatures of kernels and runs a
 * kernel that has name and arguments of a built-in program or of a {@link Sample} as that. Any
 * other is an error, but for kernels with images, which are described as unusable.
 */
final class SimCompiler {
  private static final int MOST_IN_DISPATCH = 16;

  /** A kernel that was read, and what does its work. */
  private record Read(Kernel kernel, Body body) {
    boolean dispatches() {
      return kernel.isUsable()
          && kernel.arguments().size() <= MOST_IN_DISPATCH
          && kernel.arguments().stream()
              .map(argument -> argument.kind().orElseThrow())
              .allMatch(kind -> kind == ArgumentKind.BUFFER || kind.isScalar());
    }
  }

  private SimCompiler() {}

  /**
   * @throws DriverException EINVAL with the build log
   */
  static SimProgram compile(String source, String options) {
    checkOptions(options);
    ClParser parser = new ClParser(source);
    parser.read();
    List<Read> kernels = new ArrayList<>();
    for (int i = 0; i < parser.kernels().size(); i++) {
      Kernel kernel = parser.kernels().get(i);
      kernels.add(
          new Read(
              kernel,
              kernel.isUsable() ? body(parser.names().get(i), kernel.arguments()) : Builtin.NOOP));
    }
    return ordered(kernels);
  }

  private static void checkOptions(String options) {
    boolean value = false;
    for (String option : options.strip().split("\\s+", -1)) {
      boolean known =
          value
              || option.isEmpty()
              || option.startsWith("-D")
              || option.startsWith("-cl-")
              || option.equals("-w");
      if (!known) {
        throw new DriverException(Errno.EINVAL, "error: unknown option " + option);
      }
      value = option.equals("-D");
    }
  }

  /** Those that dispatches can run come first. */
  private static SimProgram ordered(List<Read> kernels) {
    List<Read> all = new ArrayList<>(kernels.stream().filter(Read::dispatches).toList());
    int dispatches = all.size();
    kernels.stream().filter(read -> !read.dispatches()).forEach(all::add);
    List<Kernel> numbered =
        IntStream.range(0, all.size()).mapToObj(i -> numbered(all.get(i).kernel(), i)).toList();
    return new SimProgram(
        numbered.subList(0, dispatches).stream().map(SimCompiler::entry).toList(),
        numbered,
        all.stream().map(Read::body).toList());
  }

  private static Kernel numbered(Kernel kernel, int number) {
    return new Kernel(
        kernel.name(),
        number,
        kernel.groupSize(),
        kernel.maxGroup(),
        kernel.localBytes(),
        kernel.privateBytes(),
        kernel.needsGroupSize(),
        kernel.unusable(),
        kernel.arguments());
  }

  private static ProgramEntry entry(Kernel kernel) {
    return new ProgramEntry(
        kernel.name(),
        kernel.entry(),
        kernel.arguments().stream()
            .map(
                argument ->
                    new ProgramEntry.Argument(
                        ProgramEntry.Kind.valueOf(argument.kind().orElseThrow().name()),
                        argument.access()))
            .toList());
  }

  private static Body body(Token name, List<Kernel.Argument> arguments) {
    Optional<Sample> sample = Sample.named(name.text());
    Optional<Builtin> builtin = Builtin.named(name.text());
    if (sample.isEmpty() && builtin.isEmpty()) {
      throw ClParser.error(
          name,
          "kernel " + name.text() + ": this compiler knows the kernels of built-in programs only");
    }
    boolean same =
        sample.isPresent()
            ? sample.get().kinds().equals(kinds(arguments))
            : isSame(builtin.get(), arguments);
    if (!same) {
      throw ClParser.error(
          name,
          "kernel "
              + name.text()
              + ": the arguments differ from those of the"
              + " built-in program");
    }
    return sample.isPresent() ? sample.get() : builtin.get();
  }

  private static List<ArgumentKind> kinds(List<Kernel.Argument> arguments) {
    return arguments.stream().map(argument -> argument.kind().orElseThrow()).toList();
  }

  private static boolean isSame(Builtin builtin, List<Kernel.Argument> arguments) {
    List<Kernel.Argument> wanted = builtin.kernel().arguments();
    boolean same = kinds(wanted).equals(kinds(arguments));
    for (int i = 0; same && i < wanted.size(); i++) {
      same =
          (wanted.get(i).access() & ~arguments.get(i).access()) == 0
              && (wanted.get(i).kind().equals(Optional.of(ArgumentKind.BUFFER))
                  || wanted.get(i).bytes() == arguments.get(i).bytes());
    }
    return same;
  }
}
