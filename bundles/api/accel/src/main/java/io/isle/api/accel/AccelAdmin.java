package io.isle.api.accel;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.osgi.annotation.versioning.ProviderType;

/** The administrator's view of all tenants. Results are snapshots. Thread-safe. */
@ProviderType
public interface AccelAdmin {
  /** All contexts, by device, then age. */
  List<ContextInfo> contexts();

  /**
   * Usage of each group, with all groups below it, by group (parents first), then device. The list
   * has each group with a guarantee on the device or with past usage. The root represents the whole
   * device.
   */
  List<GroupUsage> groups();

  /**
   * For each device, the newest reported work that its driver ended with an error. A device reports
   * at most one such work a second.
   */
  List<WorkErrorInfo> workErrors();

  /** All memory objects, by device, then age. */
  List<MemoryInfo> memory();

  /** All loaded programs, by device, then age of their context, then age of the program. */
  List<ProgramInfo> programs();

  /**
   * All timelines that submissions can wait for: timelines of contexts by device, then timelines of
   * tenants.
   */
  List<FenceInfo> fences();

  /** The fence support of each device. */
  List<FenceDeviceInfo> fenceDevices();

  /** The compute capabilities (accelerator framework, 42.2.5) of each device that reports them. */
  List<ComputeInfo> compute();

  /**
   * Records the inputs and decisions of a device's scheduler for a replay by the simulator. Returns
   * after {@code time}, or earlier after an interrupt of the thread or an overflow of the recording
   * buffer.
   *
   * @param time more than 0, at most 1 h
   * @param out receives the journal; not closed
   * @throws AccelException ENODEV for an unknown device; EBUSY while another journal of the device
   *     is recorded; EINVAL for a time out of range; ENOTSUP if journals are not available
   * @throws IOException if a write to {@code out} fails
   */
  JournalInfo journal(String device, Duration time, OutputStream out) throws IOException;

  /**
   * A timeline.
   *
   * @param id core id, as text
   * @param host whether the timeline belongs to a tenant
   * @param owner device of a context's timeline; empty for a tenant's timeline
   * @param name name of the context or host timeline
   * @param tenant owner of the timeline
   * @param ended newest point up to which all points have ended
   * @param submitted newest point that will end; equal to {@code ended} for a host timeline
   * @param state {@code open}, or the code with which the timeline ended
   * @param deadlineNs time until the deadline, in nanoseconds; empty without a deadline
   * @param sharedWith other tenants that may wait for the timeline
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
   * The fence support of a device (FenceProtocolSupport, 42.2.3).
   *
   * @param device id of the device
   * @param domain fence domain; devices of different domains cannot wait for each other
   * @param mode {@code core}: the core keeps all waits; {@code device}: the device keeps the waits
   *     that it supports
   * @param timelineSemaphores whether the device keeps waits for its own timelines
   * @param hwCrossDevice whether the device keeps waits for other devices
   * @param cpuSignal whether the device keeps waits for host timelines
   * @param maxFenceValue largest value of the device's own fences; 0 for no limit
   * @param waiting contexts whose next submission waits in the core
   * @param handed submissions that wait on the device
   * @param timeouts submissions that ended because a wait exceeded its time limit
   * @param refused refused waits: for a timeline of another tenant or another domain, or a stale
   *     timeline
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
   * A recorded journal.
   *
   * @param device id of the device
   * @param records records in the journal
   * @param missed records after the overflow, which are not in the journal
   * @param bytes size of the journal
   */
  record JournalInfo(String device, long records, long missed, long bytes) {}

  /**
   * The compute capabilities of a device: its id and the eight fields of ComputeCapabilities
   * (42.2.5).
   */
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
   * A memory object.
   *
   * @param id core id, as text
   * @param device id of the device
   * @param context core id of the context, as text
   * @param tenant owner of the memory
   * @param bytes size in device memory
   * @param retainedBytes size of the copy in the platform's memory; 0 unless the memory is retained
   * @param references buffers of the memory object
   * @param contents {@code valid} or {@code lost}
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
   * @param id core id, as text
   * @param device id of the device
   * @param context core id of the context, as text
   * @param tenant owner of the context
   * @param kind kind of the source
   * @param name name of a built-in program, else empty
   * @param sourceBytes size of the stored name, source or module
   * @param options build options; may be empty
   * @param entries entries for dispatches, such as {@code sum(buffer, u64, buffer)}
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
   * @param device id of the device
   * @param context core id of the context, as text
   * @param tenant owner of the context
   * @param error report of the driver
   * @param epochMs time of the report, in milliseconds since 1970
   * @param count number of such submissions on the device so far
   */
  record WorkErrorInfo(
      String device, String context, String tenant, WorkError error, long epochMs, long count) {}
}
