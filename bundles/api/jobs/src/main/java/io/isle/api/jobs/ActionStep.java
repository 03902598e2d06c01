package io.isle.api.jobs;

import io.isle.api.tenancy.Capability;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.osgi.annotation.versioning.ProviderType;

/**
 * One run of a {@link JobAction}: the parameters of the step, and the receivers of its results.
 * Only the thread of {@link JobAction#run} may call these methods, except for {@link #values},
 * {@link #scheduleOver} and the texts, which any thread may read.
 */
@ProviderType
public interface ActionStep {
  /** Id of the job in the history. */
  String job();

  /** Name of the stream. */
  String stream();

  /** Name of the step. */
  String name();

  /** Group of tenants of the stream. */
  String group();

  /** Id of the device for the step. */
  String device();

  /**
   * The job's capability to compute and to allocate memory on {@link #device}, in the stream's
   * group, with the further permissions of {@link JobAction#permissions}. The capability ends with
   * the job, or at a restart of the issuing service; then the next call returns another capability.
   *
   * @throws JobException ECLOSED if the service of capabilities does not come back in time
   * @throws InterruptedException after an interrupt
   */
  Capability capability() throws InterruptedException;

  /** The values of the parameters. */
  ActionValues values();

  /**
   * Opens the file of a parameter of the kind {@link ActionParameter.Kind#FILE}: a regular file, a
   * FIFO or {@code /dev/stdin}. If an earlier step has written this file, the stream has the
   * contents by this step, although the file gets its name only after the success of the job.
   *
   * @return not buffered; closed by the caller
   */
  InputStream read(String parameter) throws IOException, InterruptedException;

  /**
   * Opens the file of a parameter of the kind {@link ActionParameter.Kind#OUT}, once. The file gets
   * its name after the success of the whole job; otherwise no part of the file remains.
   *
   * @return not buffered; need not be closed
   */
  OutputStream write(String parameter) throws InterruptedException;

  /**
   * Reports a finished piece of work, for the measures {@code bytes} and {@code blocks} of the job,
   * its progress, and the schedule of faults.
   *
   * @param bytes processed input
   * @param blocks blocks of results
   */
  void done(long bytes, long blocks);

  /**
   * Sets a measure.
   *
   * @param name one of {@link JobAction#measures}
   * @param value replaces an earlier value; claims about a measure without a value fail
   */
  void measure(String name, double value);

  /**
   * Whether the schedule of {@code faults} is over: each of its entries has happened, or one could
   * not. For steps that go on until then.
   */
  boolean scheduleOver();

  /** Prints a line for the caller of the job. */
  void print(String line);
}
