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
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The programs of one context. Control path; thread-safe. */
final class ContextPrograms {
  private static final System.Logger LOG = System.getLogger(ContextPrograms.class.getName());
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
    seat.checkUsable();
    DevicePlace place = seat.place();
    place.capabilities().check(seat.capability(), Permission.ACCEL_COMPUTE, place.deviceId());
    OpenDevice device = seat.device();
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
          device
              .lane()
              .call(
                  "load program " + name,
                  () -> driverLoad(device, id, Programs.Kind.BUILTIN, text));
      LoadedProgram program =
          new LoadedProgram(context, id, Programs.Kind.BUILTIN, text, checked(entries));
      kept = add(program, device);
      if (!kept) {
        throw gone(device, id);
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
    try {
      Optional<OpenDevice> device = seat.bound();
      if (device.isPresent() && program.takeFree()) {
        unload(device.get(), program.id());
      }
    } catch (AccelException e) {
      // A device that is gone has it no more, and the next one will not get it.
      if (!seat.leaving(e)) {
        throw e;
      }
    } finally {
      seat.place().ids().programs().give(program.id());
    }
  }

  synchronized List<LoadedProgram> list() {
    return new ArrayList<>(loaded);
  }

  synchronized boolean has(LoadedProgram program) {
    return loaded.contains(program);
  }

  /** On the control lane: has a device load it. */
  List<ProgramEntry> driverLoad(OpenDevice device, long id, Programs.Kind kind, byte[] source) {
    return programs(device).load(seat.id(), id, kind, source);
  }

  private Programs programs(OpenDevice device) {
    return device
        .programs()
        .orElseThrow(
            () ->
                new AccelException(
                    Errno.ENOTSUP, seat.place().deviceId() + ": the device runs no programs"));
  }

  private void unload(OpenDevice device, long id) {
    device.lane().run("unload", () -> programs(device).unload(id));
  }

  /** The context left the device while that loaded. */
  private AccelException gone(OpenDevice device, long id) {
    try {
      unload(device, id);
    } catch (AccelException e) {
      LOG.log(System.Logger.Level.DEBUG, "unloaded with its device: {0}", e.getMessage());
    }
    int code = seat.stateCode();
    return new AccelException(
        code == 0 ? Errno.EINTR : code, "the context left its device meanwhile; try again");
  }

  /** The driver has unloaded everything with the context. */
  synchronized void end() {
    for (LoadedProgram program : loaded) {
      program.endWithContext();
      seat.place().ids().programs().give(program.id());
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

  private synchronized boolean add(LoadedProgram program, OpenDevice device) {
    // a recovery takes the context off its device first, then looks at its programs
    return seat.usable() && seat.isOn(device) && loaded.add(program);
  }
}
