package com.example.jdemo;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.ProgramEntry;
import io.isle.api.driver.Programs;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;

/** The device's programs. Control lane. */
final class DemoPrograms implements Programs {
  private final LongFunction<DemoContext> contexts;
  private final Map<Long, DemoContext> owners = new HashMap<>();

  /**
   * @param contexts finds a context by core id, or throws
   */
  DemoPrograms(LongFunction<DemoContext> contexts) {
    this.contexts = contexts;
  }

  @Override
  public Set<Kind> kinds() {
    return Set.of(Kind.BUILTIN);
  }

  @Override
  public List<ProgramEntry> builtins() {
    return Arrays.stream(DemoProgram.values()).map(program -> program.entry).toList();
  }

  @Override
  public List<ProgramEntry> load(long context, long program, Kind kind, byte[] source) {
    DemoContext owner = contexts.apply(context);
    if (kind != Kind.BUILTIN) {
      throw new DriverException(Errno.ENOTSUP, "kind: " + kind + " is not BUILTIN");
    }
    if (owners.containsKey(program)) {
      throw new DriverException(Errno.EEXIST, "program: this id is taken");
    }
    String name = new String(source, StandardCharsets.UTF_8);
    DemoProgram found =
        Arrays.stream(DemoProgram.values())
            .filter(each -> each.entry.name().equals(name))
            .findFirst()
            .orElseThrow(() -> new DriverException(Errno.ENOENT, "no built-in program has it"));
    owner.programs.put(program, found);
    owners.put(program, owner);
    return List.of(found.entry);
  }

  @Override
  public void unload(long program) {
    DemoContext owner = owners.remove(program);
    if (owner == null) {
      throw new DriverException(Errno.ENOENT, "no program " + Long.toHexString(program));
    }
    owner.programs.remove(program);
  }

  void unloadAll(DemoContext context) {
    owners.values().removeIf(owner -> owner == context);
  }
}
