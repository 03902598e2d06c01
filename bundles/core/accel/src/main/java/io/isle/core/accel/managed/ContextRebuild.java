package io.isle.core.accel.managed;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.base.ForeignText;
import io.isle.api.base.IsleException;
import io.isle.api.driver.DriverException;
import io.isle.core.accel.context.ContextRecord;
import io.isle.core.accel.context.DeviceAllocator;
import io.isle.core.accel.context.LoadedProgram;
import io.isle.core.accel.device.OpenDevice;
import io.isle.core.accel.device.ProgramDescription;
import io.isle.core.accel.device.Signature;
import io.isle.core.accel.memory.DeviceMemory;
import io.isle.core.accel.submit.ExecutionContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes contexts anew on a device that has just been opened: the context, its memory, its programs,
 * under the same core ids. Many in one control call of the core: changes of threads cost more than
 * the driver does.
 */
final class ContextRebuild {
  /** What a device says of a context that it cannot have, without being broken itself. */
  private static final Set<Integer> REFUSALS =
      Set.of(
          Errno.ENOMEM,
          Errno.ENOSPC,
          Errno.ENOENT,
          Errno.ENOTSUP,
          Errno.EINVAL,
          Errno.EACCES,
          Errno.EMSGSIZE,
          Errno.ERANGE);

  /** Contexts that are made within the bound of one control call. */
  private static final int BATCH = 32;

  private final OpenDevice opened;
  private final Map<ExecutionContext, String> refused = new LinkedHashMap<>();
  private int rebuilt;
  private int restored;
  private int lost;

  ContextRebuild(OpenDevice opened) {
    this.opened = opened;
  }

  int rebuilt() {
    return rebuilt;
  }

  /** Memory objects with their contents. */
  int restored() {
    return restored;
  }

  /** Memory objects without. */
  int lost() {
    return lost;
  }

  /** Contexts that the device cannot have, and why. */
  Map<ExecutionContext, String> refused() {
    return refused;
  }

  /**
   * Makes contexts anew and binds them to the device, but for those that were closed meanwhile or
   * that it refuses.
   *
   * @throws AccelException when the device fails
   */
  void rebuild(List<ExecutionContext> contexts) {
    List<ExecutionContext> batch = new ArrayList<>();
    for (ExecutionContext context : contexts) {
      int builds = builds(context);
      if (builds > 0) {
        together(List.of(context), builds);
      } else {
        batch.add(context);
      }
      if (batch.size() == BATCH) {
        together(batch, 0);
        batch.clear();
      }
    }
    together(batch, 0);
    contexts.forEach(context -> context.memory().refreshLossy());
  }

  /** How much of a context's programs a compiler must work on. */
  private static int builds(ExecutionContext context) {
    return context.programs().list().stream().mapToInt(p -> p.code().builds()).sum();
  }

  private void together(List<ExecutionContext> contexts, int builds) {
    if (!contexts.isEmpty()) {
      boolean ignored =
          opened
              .lane()
              .build(
                  "rebuild contexts",
                  builds,
                  () -> {
                    contexts.forEach(this::rebuildOrRefuse);
                    return true;
                  });
    }
  }

  private void rebuildOrRefuse(ExecutionContext context) {
    try {
      one(context);
    } catch (IsleException e) {
      if (!REFUSALS.contains(e.code()) || !opened.device().alive()) {
        throw e;
      }
      discard(context);
      refused.put(context, ForeignText.line(e.getMessage()));
    } catch (OutOfMemoryError e) {
      // of one context: the device's others have room
      discard(context);
      refused.put(context, "the platform is out of memory: " + ForeignText.line(e.getMessage()));
    }
  }

  /** Takes what was made of a context off the device. */
  private void discard(ExecutionContext context) {
    try {
      opened.device().destroyContext(context.record().id());
    } catch (DriverException e) {
      if (e.code() != Errno.ENOENT) {
        throw e;
      }
    }
  }

  private void one(ExecutionContext context) {
    ContextRecord record = context.record();
    if (record.over()) {
      return;
    }
    opened.device().createContext(record.id(), DeviceContexts.args(record));
    List<DeviceMemory> objects = context.memory().objects();
    int kept = 0;
    for (DeviceMemory memory : objects) {
      kept +=
          memory.replaced(DeviceAllocator.make(opened, record, memory), opened.launches()) ? 1 : 0;
    }
    List<LoadedProgram> programs = context.programs().list();
    for (LoadedProgram program : programs) {
      load(context, program);
    }
    if (!record.bind(opened)) {
      opened.device().destroyContext(record.id());
      return;
    }
    dropClosed(context, objects, programs);
    rebuilt++;
    restored += kept;
    lost += objects.size() - kept;
  }

  private void load(ExecutionContext context, LoadedProgram program) {
    try {
      if (!program.isDescribedAs(description(context, program))) {
        throw new AccelException(
            Errno.EINVAL,
            "the program has other entries or kernels in this version of the driver; load the"
                + " program again");
      }
    } catch (IsleException e) {
      throw new AccelException(
          e.code(), "program " + program.code().label() + ": " + e.getMessage(), e);
    }
  }

  private ProgramDescription description(ExecutionContext context, LoadedProgram program) {
    String id = context.record().services().deviceId();
    return Signature.checked(
        id, opened.load(context.record().id(), program.id(), program.code(), id, program.fatal()));
  }

  /** What its tenant closed while it was being made. */
  private void dropClosed(
      ExecutionContext context, List<DeviceMemory> objects, List<LoadedProgram> programs) {
    for (DeviceMemory memory : objects) {
      if (context.memory().find(memory.id).isEmpty() && memory.takeFree()) {
        opened.device().free(memory.id);
      }
    }
    for (LoadedProgram program : programs) {
      if (!context.programs().has(program) && program.takeFree()) {
        opened.unload(program.id());
      }
    }
  }
}
