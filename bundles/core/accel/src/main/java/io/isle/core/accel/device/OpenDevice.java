package io.isle.core.accel.device;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.ProgramKind;
import io.isle.api.base.Errno;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.ComputeReports;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.DriverLog;
import io.isle.api.driver.FenceProtocolSupport;
import io.isle.api.driver.Fences;
import io.isle.api.driver.GroupIsolation;
import io.isle.api.driver.Kernels;
import io.isle.api.driver.PageRetirement;
import io.isle.api.driver.PerformanceLevel;
import io.isle.api.driver.ProgramEntry;
import io.isle.api.driver.ProgramSources;
import io.isle.api.driver.Programs;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A device of one opening, with what never changes meanwhile.
 *
 * @param group the group whose process alone this is, if it is not the device's own
 */
public record OpenDevice(
    AccelDevice device,
    int epoch,
    ControlLane lane,
    DeviceInfo info,
    Optional<Programs> programs,
    Set<Programs.Kind> kinds,
    KernelQueries kernels,
    Optional<ComputeReports> reports,
    Optional<PageRetirement> retirement,
    Optional<GroupIsolation> isolation,
    Optional<Fences> fences,
    Optional<FenceProtocolSupport> fenceSupport,
    Optional<DriverLog> log,
    Optional<String> group) {
  /** Asks the process of a group for its properties, in a call on its lane. */
  static OpenDevice of(DevicePort.Opening opening, Optional<String> group) {
    ControlLane lane = new ControlLane(opening.lane());
    return lane.call("open", () -> asked(opening.device(), opening.epoch(), lane, group));
  }

  /** Asks a device for its properties, on the thread of its lane. */
  public static OpenDevice asked(AccelDevice device, int epoch, ControlLane lane) {
    return asked(device, epoch, lane, Optional.empty());
  }

  private static OpenDevice asked(
      AccelDevice device, int epoch, ControlLane lane, Optional<String> group) {
    Optional<Programs> programs = device.extension(Programs.class);
    Optional<Fences> fences = device.extension(Fences.class);
    return new OpenDevice(
        device,
        epoch,
        lane,
        device.info(),
        programs,
        programs.map(OpenDevice::kindsOf).orElse(Set.of()),
        new KernelQueries(device.extension(Kernels.class)),
        device.extension(ComputeReports.class),
        device.extension(PageRetirement.class),
        device.extension(GroupIsolation.class),
        fences,
        fences.map(OpenDevice::supportOf),
        device.extension(DriverLog.class),
        group);
  }

  /**
   * Sets how fast it runs.
   *
   * @param level auto, low, balanced or high
   * @throws AccelException EINVAL, ENOTSUP
   */
  public void setPerformanceLevel(String level) {
    for (PerformanceLevel known : PerformanceLevel.values()) {
      if (known.name().toLowerCase(Locale.ROOT).equals(level)) {
        lane.run("performance level", () -> device.setPerformanceLevel(known));
        return;
      }
    }
    throw new AccelException(
        Errno.EINVAL, "level: '" + level + "' is not one of auto, low, balanced, high");
  }

  private static FenceProtocolSupport supportOf(Fences fences) {
    FenceProtocolSupport support = fences.support();
    if (support == null) {
      throw new AccelException(Errno.EPROTO, "the driver reports no fence support");
    }
    return support;
  }

  private static Set<Programs.Kind> kindsOf(Programs programs) {
    Set<Programs.Kind> kinds = programs.kinds();
    if (kinds == null) {
      throw new AccelException(Errno.EPROTO, "the driver reports no kinds of programs");
    }
    return Set.copyOf(kinds);
  }

  /** Kinds of programs that it takes, in the order of the driver ABI. */
  public List<ProgramKind> programKinds() {
    return Stream.of(Programs.Kind.values())
        .filter(kinds::contains)
        .map(ProgramCode::publicKind)
        .toList();
  }

  /**
   * Checks that it takes programs of a kind.
   *
   * @throws AccelException ENOTSUP naming those that it takes
   */
  public void checkTakes(ProgramKind kind, String id) {
    List<ProgramKind> taken = programKinds();
    if (!taken.contains(kind)) {
      throw new AccelException(
          Errno.ENOTSUP,
          id
              + ": kind: the device accepts no "
              + kind.text()
              + "; accepted are "
              + (taken.isEmpty()
                  ? "none"
                  : String.join(", ", taken.stream().map(ProgramKind::text).toList())));
    }
  }

  /** Whether it describes kernels, and so takes launches and bindings that copy nothing. */
  public boolean launches() {
    return kernels.supported();
  }

  /**
   * On the control lane: loads a program for a context, both under the core's ids.
   *
   * @param fatal counts builds that the device does not survive
   */
  public ProgramDescription load(
      long context, long program, ProgramCode code, String id, FatalBuilds fatal) {
    checkTakes(ProgramCode.publicKind(code.kind()), id);
    Supplier<ProgramDescription> load = () -> loaded(context, program, code, id);
    return code.isBuilt() ? fatal.run(this, load) : load.get();
  }

  /** Of what cannot be described nothing stays. */
  private ProgramDescription loaded(long context, long program, ProgramCode code, String id) {
    List<ProgramEntry> entries =
        code.files().isEmpty()
            ? programs
                .orElseThrow()
                .load(context, program, code.kind(), code.bytes(), code.options())
            : takerOfFiles(id).load(context, program, code.files(), code.headers(), code.options());
    try {
      return new ProgramDescription(Signature.present(entries), kernels.of(code, program));
    } catch (RuntimeException e) {
      unloadUndescribed(program, e);
      throw e;
    }
  }

  private ProgramSources takerOfFiles(String id) {
    return device
        .extension(ProgramSources.class)
        .orElseThrow(
            () ->
                new AccelException(
                    Errno.ENOTSUP,
                    id
                        + ": files: the driver accepts no programs of several files; a single source"
                        + " without headers is needed"));
  }

  private void unloadUndescribed(long program, RuntimeException why) {
    try {
      if (device.alive()) {
        unload(program);
      }
    } catch (DriverException e) {
      why.addSuppressed(e);
    }
  }

  /** On the control lane. */
  public void unload(long program) {
    programs.ifPresent(loader -> loader.unload(program));
  }

  /** On the control lane: names of its built-in programs. */
  List<String> builtins() {
    return programs
        .map(all -> all.builtins().stream().map(ProgramEntry::name).toList())
        .orElse(List.of());
  }
}
