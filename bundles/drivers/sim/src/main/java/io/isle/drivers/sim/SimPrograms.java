package io.isle.drivers.sim;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.ProgramEntry;
import io.isle.api.driver.Programs;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/** Programs of a simulated device: the built-in ones. Control lane. */
final class SimPrograms implements Programs {
  private final LongFunction<SimContext> contexts;
  private final Map<Long, SimContext> owners = new HashMap<>();

  /**
   * Programs of a device.
   *
   * @param contexts finds a context or throws
   */
  SimPrograms(LongFunction<SimContext> contexts) {
    this.contexts = contexts;
  }

  @Override
  public Set<Kind> kinds() {
    return Set.of(Kind.BUILTIN);
  }

  @Override
  public List<ProgramEntry> builtins() {
    return Stream.of(Builtin.values()).map(Builtin::entry).toList();
  }

  @Override
  public List<ProgramEntry> load(long context, long program, Kind kind, byte[] source) {
    SimContext owner = contexts.apply(context);
    if (kind != Kind.BUILTIN) {
      throw new DriverException(Errno.ENOTSUP, "kind: " + kind + " is no BUILTIN");
    }
    if (program == 0 || owners.containsKey(program)) {
      throw new DriverException(Errno.EEXIST, "program: id " + program + " is taken or 0");
    }
    String name = new String(source, StandardCharsets.UTF_8);
    Builtin found =
        Builtin.named(name)
            .orElseThrow(
                () ->
                    new DriverException(
                        Errno.ENOENT, "no built-in program of that name; there are " + names()));
    owner.programs.put(program, found);
    owners.put(program, owner);
    return List.of(found.entry());
  }

  @Override
  public void unload(long program) {
    SimContext owner = owners.remove(program);
    if (owner == null) {
      throw new DriverException(Errno.ENOENT, "program: there is no " + Long.toHexString(program));
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
