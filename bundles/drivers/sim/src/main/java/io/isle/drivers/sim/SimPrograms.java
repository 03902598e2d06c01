package io.isle.drivers.sim;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.Kernel;
import io.isle.api.driver.ProgramEntry;
import io.isle.api.driver.Programs;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/** Programs of a simulated device: the built-in ones, and sources if it compiles. Control lane. */
final class SimPrograms implements Programs, io.isle.api.driver.Kernels {
  private final boolean compiler;
  private final LongFunction<SimContext> contexts;
  private final Map<Long, SimContext> owners = new HashMap<>();

  /**
   * Programs of a device.
   *
   * @param compiler whether it takes sources
   * @param contexts finds a context or throws
   */
  SimPrograms(boolean compiler, LongFunction<SimContext> contexts) {
    this.compiler = compiler;
    this.contexts = contexts;
  }

  @Override
  public Set<Kind> kinds() {
    return compiler ? Set.of(Kind.BUILTIN, Kind.OPENCL_C) : Set.of(Kind.BUILTIN);
  }

  @Override
  public List<ProgramEntry> builtins() {
    return Stream.of(Builtin.values()).map(Builtin::entry).toList();
  }

  @Override
  public List<ProgramEntry> load(long context, long program, Kind kind, byte[] source) {
    return load(context, program, kind, source, "");
  }

  @Override
  public List<ProgramEntry> load(
      long context, long program, Kind kind, byte[] source, String options) {
    SimContext owner = contexts.apply(context);
    if (!kinds().contains(kind)) {
      throw new DriverException(Errno.ENOTSUP, "kind: " + kind + " is not one of " + kinds());
    }
    if (program == 0 || owners.containsKey(program)) {
      throw new DriverException(Errno.EEXIST, "program: id " + program + " is taken or 0");
    }
    String text = new String(source, StandardCharsets.UTF_8);
    SimProgram made =
        kind == Kind.BUILTIN ? builtin(text, options) : SimCompiler.compile(text, options);
    owner.programs.put(program, made);
    owners.put(program, owner);
    return made.entries();
  }

  private SimProgram builtin(String name, String options) {
    if (!options.isEmpty()) {
      throw new DriverException(Errno.ENOTSUP, "options: a built-in program takes no options");
    }
    return SimProgram.of(
        Builtin.named(name)
            .orElseThrow(
                () ->
                    new DriverException(
                        Errno.ENOENT,
                        "no built-in program of that name; the built-in programs"
                            + " are "
                            + names())),
        compiler);
  }

  /** On a device with a compiler. */
  @Override
  public List<Kernel> kernels(long program) {
    SimContext owner = owners.get(program);
    if (owner == null) {
      throw new DriverException(Errno.ENOENT, "no program " + Long.toHexString(program));
    }
    return owner.programs.get(program).kernels();
  }

  @Override
  public void unload(long program) {
    SimContext owner = owners.remove(program);
    if (owner == null) {
      throw new DriverException(Errno.ENOENT, "no program " + Long.toHexString(program));
    }
    owner.programs.remove(program);
  }

  void unloadAll(SimContext context) {
    owners.values().removeIf(owner -> owner == context);
  }

  private String names() {
    return String.join(", ", builtins().stream().map(ProgramEntry::name).toList());
  }
}
