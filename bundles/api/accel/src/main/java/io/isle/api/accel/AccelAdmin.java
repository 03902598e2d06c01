package io.isle.api.accel;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.osgi.annotation.versioning.ProviderType;

/** What an administrator sees of all tenants. Thread-safe; snapshots. */
@ProviderType
public interface AccelAdmin {
  /** All contexts, by device, then age. */
  List<ContextInfo> contexts();

  /**
   * What groups with all below them have, by group, parents first, then device: each group that is
   * promised something of the device or has used it, and the root, which stands for all of it.
   */
  List<GroupUsage> groups();

  /**
   * The newest work of each device that its driver ended with an error, of those that were told: at
   * most one a second is.
   */
  List<WorkErrorInfo> workErrors();

  /** All memory objects, by device, then age. */
  List<MemoryInfo> memory();

  /** All loaded programs, by device, then age of their context, then their own. */
  List<ProgramInfo> programs();

  /** The timelines that submissions can wait for: of contexts by device, then those of tenants. */
  List<FenceInfo> fences();

  /** One line a device: what becomes of its waits. */
  List<FenceDeviceInfo> fenceDevices();

  /** One line a device that reports compute capabilities (42.2.5). */
  List<ComputeInfo> compute();

  /**
   * Writes what the scheduler of a device is told and decides, for the simulator to replay. Returns
   * after {@code time}, or earlier when the thread is interrupted or more came than could be
   * written.
   *
   * @param time more than nothing, to 1 h
   * @throws AccelException ENODEV when it is not there; EBUSY while another one is written; EINVAL
   *     for another time; ENOTSUP where there is none
   * @throws IOException of {@code out}
   */
  JournalInfo journal(String device, Duration time, OutputStream out) throws IOException;

  /**
   * A timeline.
   *
   * @param owner device for a context's; none for a tenant's
   * @param name of the context or host timeline
   * @param ended newest point of which all before have ended too
   * @param submitted newest point that will end; equal to {@code ended} for a host timeline
   * @param state open, or the code that it is over with
   * @param deadlineNs until its deadline; absent without one
   * @param sharedWith other tenants that may wait
   */
  record FenceInfo(
      String id,
      boolean host,
      Optional<String> owner,
      String name,
      String tenant,
      long ended,
      long submitted,
      String state,
      OptionalLong deadlineNs,
      List<String> sharedWith) {
    public FenceInfo {
      sharedWith = List.copyOf(sharedWith);
    }
  }

  /**
   * A device's part in fences (FenceProtocolSupport, 42.2.3).
   *
   * @param domain devices of different domains cannot wait for each other
   * @param mode core: the core keeps all waits; device: the device keeps those that it can
   * @param maxFenceValue largest value of the device's own fences; 0 for no limit
   * @param waiting contexts whose next submission waits in the core
   * @param handed submissions that wait on the device
   * @param timeouts submissions that ended because a wait was too long
   * @param refused waits that were refused as another tenant's, another domain's or stale
   */
  record FenceDeviceInfo(
      String device,
      int domain,
      String mode,
      boolean timelineSemaphores,
      boolean hwCrossDevice,
      boolean cpuSignal,
      long maxFenceValue,
      int waiting,
      int handed,
      long timeouts,
      long refused) {}

  /**
   * A journal that was written.
   *
   * @param missed records that came after it was full, and are not in it
   */
  record JournalInfo(String device, long records, long missed, long bytes) {}

  /** The eight fields of ComputeCapabilities of one device. */
  record ComputeInfo(
      String device,
      int isaVersion,
      int maxWorkgroupSize,
      int maxLocalMemory,
      int shaderCores,
      int fp32Gflops,
      int fp16Gflops,
      int int8Tops,
      int tensorCores) {}

  /**
   * A piece of device memory.
   *
   * @param retainedBytes of the platform's own memory, for a copy of what is written through
   *     mappings; 0 unless it is retained
   * @param contents valid or lost
   */
  record MemoryInfo(
      String id,
      String device,
      String context,
      String tenant,
      long bytes,
      long retainedBytes,
      int references,
      String contents) {}

  /**
   * A program of a context.
   *
   * @param name of a builtin, else empty
   * @param sourceBytes of the name, source or module that the core keeps
   * @param entries what can be dispatched, such as {@code sum(buffer, u64, buffer)}
   */
  record ProgramInfo(
      String id,
      String device,
      String context,
      String tenant,
      ProgramKind kind,
      String name,
      long sourceBytes,
      String options,
      List<String> entries) {
    public ProgramInfo {
      entries = List.copyOf(entries);
    }
  }

  /**
   * Work that a driver ended with an error.
   *
   * @param context core id, as text
   * @param epochMs when it was told
   * @param count how many there were on the device so far
   */
  record WorkErrorInfo(
      String device, String context, String tenant, WorkError error, long epochMs, long count) {}
}
