package io.isle.core.accel.context;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.api.base.Errno;
import io.isle.api.base.ForeignText;
import io.isle.api.tenancy.Permission;
import io.isle.core.accel.device.FatalBuilds;
import io.isle.core.accel.device.OpenDevice;
import io.isle.core.accel.device.ProgramCode;
import io.isle.core.accel.device.ProgramDescription;
import io.isle.core.accel.device.QuotedLines;
import io.isle.core.accel.device.Signature;
import io.isle.core.accel.ids.CoreIds;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The programs of one context. Control path; thread-safe. */
public final class ContextPrograms {
  /** Most programs of a context, those that are being loaded among them. */
  public static final int MAX_PROGRAMS = 256;

  private static final System.Logger LOG = System.getLogger(ContextPrograms.class.getName());

  private final ContextRecord record;
  private final WriterLock writer;
  private final CoreServices core;
  private final Set<LoadedProgram> loaded = new LinkedHashSet<>();
  private final FatalBuilds fatal = new FatalBuilds();
  private int taken;

  public ContextPrograms(ContextRecord record, WriterLock writer, CoreServices core) {
    this.record = record;
    this.writer = writer;
    this.core = core;
  }

  public Program load(ProgramSource source) {
    record.checkUsable();
    String deviceId = record.services().deviceId();
    core.capabilities().check(record.capability(), Permission.ACCEL_COMPUTE, deviceId);
    OpenDevice device = record.device();
    if (source == null) {
      throw new AccelException(Errno.EINVAL, "source: the source is missing");
    }
    device.checkTakes(source.kind(), deviceId);
    ProgramCode code = ProgramCode.of(source);
    long id = take(code);
    boolean kept = false;
    try {
      LoadedProgram program =
          new LoadedProgram(this, record, writer, id, code, build(device, id, code));
      kept = add(program, device);
      if (!kept) {
        throw gone(device, id);
      }
      return program;
    } finally {
      if (!kept) {
        give(id, code);
      }
    }
  }

  /** An id, and room for what is kept. */
  private synchronized long take(ProgramCode code) {
    if (taken == MAX_PROGRAMS) {
      throw new AccelException(
          Errno.ENOSPC,
          "the context has "
              + MAX_PROGRAMS
              + " programs, the most of one context; close some first");
    }
    CoreIds ids = core.ids();
    long id = ids.programs().take(record.capability().owner());
    try {
      ids.sources().take(record.capability().owner(), code.keptBytes());
    } catch (AccelException e) {
      ids.programs().give(id);
      throw e;
    }
    taken++;
    return id;
  }

  private synchronized void give(long id, ProgramCode code) {
    CoreIds ids = core.ids();
    ids.programs().give(id);
    ids.sources().give(record.capability().owner(), code.keptBytes());
    taken--;
  }

  private ProgramDescription build(OpenDevice device, long id, ProgramCode code) {
    ProgramDescription told;
    try {
      told =
          device
              .lane()
              .build(
                  "load program " + code.label(),
                  code.builds(),
                  () -> device.load(record.id(), id, code, record.services().deviceId(), fatal));
    } catch (AccelException e) {
      String log = e.code() == Errno.EINVAL ? QuotedLines.of(e.getMessage(), code) : e.getMessage();
      throw record.told(new AccelException(e.code(), ForeignText.lines(log), e));
    }
    try {
      return Signature.checked(record.services().deviceId(), told);
    } catch (AccelException e) {
      unloadQuietly(device, id);
      throw e;
    }
  }

  void unload(LoadedProgram program) {
    synchronized (this) {
      if (!loaded.remove(program)) {
        return;
      }
    }
    try {
      Optional<OpenDevice> device = record.bound();
      if (device.isPresent() && program.takeFree()) {
        unload(device.get(), program.id());
      }
    } catch (AccelException e) {
      // A device that is gone has it no more, and the next one will not get it.
      if (!record.leaving(e)) {
        throw e;
      }
    } finally {
      give(program.id(), program.code());
    }
  }

  public synchronized List<LoadedProgram> list() {
    return new ArrayList<>(loaded);
  }

  public synchronized boolean has(LoadedProgram program) {
    return loaded.contains(program);
  }

  private void unload(OpenDevice device, long id) {
    device.lane().run("unload", () -> device.unload(id));
  }

  private void unloadQuietly(OpenDevice device, long id) {
    try {
      unload(device, id);
    } catch (AccelException e) {
      LOG.log(System.Logger.Level.DEBUG, "unloaded with its device: {0}", e.getMessage());
    }
  }

  /** The context left the device while that loaded. */
  private AccelException gone(OpenDevice device, long id) {
    unloadQuietly(device, id);
    int code = record.stateCode();
    return new AccelException(
        code == 0 ? Errno.EINTR : code, "the device was replaced in the meantime; try again");
  }

  /** The driver has unloaded everything with the context. */
  public synchronized void end() {
    for (LoadedProgram program : loaded) {
      program.endWithContext();
      give(program.id(), program.code());
    }
    loaded.clear();
  }

  private synchronized boolean add(LoadedProgram program, OpenDevice device) {
    // a recovery takes the context off its device first, then looks at its programs
    return record.usable() && record.isOn(device) && loaded.add(program);
  }
}
