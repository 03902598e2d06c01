package io.isle.api.jobs;

import io.isle.api.tenancy.Capability;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.osgi.annotation.versioning.ProviderType;

/**
 * One run of a {@link JobAction}: what the step asks for, and where its results go. Its methods are
 * for the thread of {@link JobAction#run}; {@link #values} and the texts are for any thread.
 */
@ProviderType
public interface ActionStep {
  /** Id of the job in the history. */
  String job();

  /** Name of the stream. */
  String stream();

  /** Name of the step. */
  String name();

  /** Group of tenants that the stream belongs to. */
  String group();

  /** Id of the device that was chosen for the step. */
  String device();

  /**
   * The job's right to compute and to take memory on {@link #device}, in the stream's group. The
   * right ends with the job, or when the service that issued it is restarted: then the next call
   * gives another one.
   *
   * @throws JobException ECLOSED when the service of capabilities does not come back in time
   */
  Capability capability() throws InterruptedException;

  ActionValues values();

  /**
   * Opens the file of a parameter of the kind {@link ActionParameter.Kind#FILE}: a regular file, a
   * FIFO or {@code /dev/stdin}. Where a step that is done writes that file, the stream has what the
   * step wrote, which gets its name only when the job has gone well.
   *
   * @return not buffered; closed by the caller
   */
  InputStream read(String parameter) throws IOException, InterruptedException;

  /**
   * Opens the file of a parameter of the kind {@link ActionParameter.Kind#OUT}, once. The file gets
   * its name when the whole job has gone well; else nothing is left of it.
   *
   * @return not buffered; need not be closed
   */
  OutputStream write(String parameter) throws InterruptedException;

  /**
   * A piece of work is done: counts in the measures {@code bytes} and {@code blocks} of the job, in
   * its progress, and for the schedule of faults.
   *
   * @param bytes of input that were worked through
   * @param blocks of results
   */
  void done(long bytes, long blocks);

  /**
   * Sets a measure.
   *
   * @param name one of {@link JobAction#measures}
   * @param value takes the place of the one before; a measure that is never set holds in no claim
   */
  void measure(String name, double value);

  /** Prints a line to whoever runs the job. */
  void print(String line);
}
