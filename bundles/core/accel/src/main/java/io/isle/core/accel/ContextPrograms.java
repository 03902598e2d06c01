package io.isle.core.accel;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.api.base.Errno;
import io.isle.api.driver.ProgramEntry;
import io.isle.api.driver.Programs;
import io.isle.api.tenancy.Permission;
import io.isle.lib.kabi.CommandOp;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The programs of one context. Control path; thread-safe. */
final class ContextPrograms {
  private static final int MAX_BUILTIN_NAME = 63;
  private static final int MAX_ENTRIES = 256;

  private final ExecutionContext context;
  private final ContextSeat seat;
  private final Set<LoadedProgram> loaded = new LinkedHashSet<>();

  ContextPrograms(ExecutionContext context, ContextSeat seat) {
    this.context = context;
    this.seat = seat;
  }

  Program load(ProgramSource source) {
    context.checkUsable();
    DevicePlace place = seat.place();
    place.capabilities().check(seat.capability(), Permission.ACCEL_COMPUTE, place.deviceId());
    Programs programs =
        seat.device()
            .programs()
            .orElseThrow(
                () ->
                    new AccelException(
                        Errno.ENOTSUP, place.deviceId() + ": the device runs no programs"));
    String name = ((ProgramSource.Builtin) source).name();
    if (name == null || name.isEmpty() || name.length() > MAX_BUILTIN_NAME) {
      throw new AccelException(
          Errno.EINVAL, "name: 1 to " + MAX_BUILTIN_NAME + " characters are needed");
    }
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    long id = place.ids().programs().take();
    boolean kept = false;
    try {
      List<ProgramEntry> entries =
          seat.device()
              .lane()
              .call(
                  "load program " + name,
                  () -> programs.load(seat.id(), id, Programs.Kind.BUILTIN, text));
      LoadedProgram program = new LoadedProgram(context, id, checked(entries));
      kept = add(program);
      if (!kept) {
        context.checkUsable();
      }
      return program;
    } finally {
      if (!kept) {
        place.ids().programs().give(id);
      }
    }
  }

  void unload(LoadedProgram program) {
    synchronized (this) {
      if (!loaded.remove(program)) {
        return;
      }
    }
    if (context.usable()) {
      seat.device()
          .lane()
          .run("unload", () -> seat.device().programs().orElseThrow().unload(program.id()));
    }
    seat.place().ids().programs().give(program.id());
  }

  /** The driver has unloaded everything with the context. */
  synchronized void end() {
    for (LoadedProgram program : loaded) {
      if (program.endWithContext()) {
        seat.place().ids().programs().give(program.id());
      }
    }
    loaded.clear();
  }

  private List<ProgramEntry> checked(List<ProgramEntry> entries) {
    for (ProgramEntry entry : entries) {
      if (entry.entry() < 0
          || entry.entry() >= MAX_ENTRIES
          || entry.arguments().size() > CommandOp.Dispatch.MAX_ARGS) {
        throw new AccelException(
            Errno.EPROTO,
            seat.place().deviceId() + ": the driver describes an impossible entry " + entry);
      }
    }
    return entries;
  }

  private synchronized boolean add(LoadedProgram program) {
    return context.usable() && loaded.add(program);
  }
}
