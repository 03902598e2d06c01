package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.driver.ProgramEntry;
import io.isle.api.driver.Programs;
import io.isle.lib.kabi.CommandOp;
import java.util.ArrayList;
import java.util.List;

/** Mutants of {@link ProgramCases}. */
final class ProgramMutants {
  private static final String LOAD = "Programs.load";

  private ProgramMutants() {}

  static void add(Mutants to) {
    to.<List<ProgramEntry>>result(
        "program/builtins-load", "Programs.builtins", ProgramMutants::withGhost);
    to.code("program/unknown-builtin", LOAD, args -> true, Errno.ENOENT, Errno.EIO);
    to.on(
        "program/unknown-kind",
        LOAD,
        (what, args, real, world) -> args[2] == Programs.Kind.PTX ? List.of() : real.call(args));
    to.on("program/unloaded", "Programs.unload", (what, args, real, world) -> null);
    to.forgive(
        "program/foreign",
        (sent, world) ->
            sent.objects().stream()
                .map(world.programOwners::get)
                .anyMatch(
                    owner ->
                        owner != null
                            && owner != sent.context()
                            && world.contexts.contains(sent.context())));
    to.forgive(
        "program/dispatch-arguments",
        (sent, world) ->
            sent.code() == CommandOp.DISPATCH && sent.word(sent.op(CommandOp.Dispatch.X)) == 0);
    to.spoil(
        "program/op-fill",
        0,
        9,
        (sent, world) ->
            sent.code() == CommandOp.FILL && sent.wide(sent.op(CommandOp.Fill.COUNT)) == 7);
    to.spoil(
        "program/op-copy",
        0,
        10,
        (sent, world) ->
            sent.code() == CommandOp.COPY
                && sent.ops() == 1
                && sent.wide(sent.op(CommandOp.Copy.COUNT)) > 0);
    to.spoil(
        "program/fill", 1, 77, (sent, world) -> Mutants.programs(sent, world).contains("fill"));
    for (String name : List.of("copy", "sha256", "histogram")) {
      to.spoil(
          "program/" + name, 2, 8, (sent, world) -> Mutants.programs(sent, world).contains(name));
    }
  }

  private static List<ProgramEntry> withGhost(List<ProgramEntry> real) {
    List<ProgramEntry> all = new ArrayList<>(real);
    all.add(new ProgramEntry("ghost", 0, List.of()));
    return all;
  }
}
