package io.isle.core.testing;

import io.isle.api.jobs.ActionStep;
import io.isle.api.jobs.ActionValues;
import io.isle.api.jobs.JobAction;
import io.isle.api.tenancy.Capability;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A step with files in memory, which remembers what it is told. One thread, but for the schedule.
 */
public final class FakeStep implements ActionStep {
  /** Measures by name. */
  public final Map<String, Double> measures = new HashMap<>();

  /** Printed lines. */
  public final List<String> lines = new ArrayList<>();

  /** All that is written, to whichever file. */
  public final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** Of the step's stream. */
  public Capability capability;

  /** Whether the schedule of faults is over. */
  public volatile boolean scheduleOver = true;

  /** Bytes and blocks that are done. */
  public long doneBytes;

  public long doneBlocks;

  private final byte[] in;
  private final Map<String, String> values = new HashMap<>();

  /**
   * @param action whose presets hold for what is not given
   * @param in bytes of each file that is read
   * @param given values of parameters
   */
  public FakeStep(JobAction action, byte[] in, Map<String, String> given) {
    this.in = in;
    action
        .parameters()
        .forEach(
            parameter -> parameter.preset().ifPresent(text -> values.put(parameter.name(), text)));
    values.putAll(given);
  }

  @Override
  public ActionValues values() {
    return new ActionValues(values);
  }

  @Override
  public InputStream read(String parameter) {
    return new ByteArrayInputStream(in);
  }

  @Override
  public OutputStream write(String parameter) {
    return out;
  }

  @Override
  public void done(long bytes, long blocks) {
    doneBytes += bytes;
    doneBlocks += blocks;
  }

  @Override
  public void measure(String name, double value) {
    measures.put(name, value);
  }

  @Override
  public boolean scheduleOver() {
    return scheduleOver;
  }

  @Override
  public void print(String line) {
    lines.add(line);
  }

  @Override
  public Capability capability() {
    return capability;
  }

  @Override
  public String job() {
    return "1";
  }

  @Override
  public String stream() {
    return "main";
  }

  @Override
  public String name() {
    return "go";
  }

  @Override
  public String group() {
    return "default";
  }

  @Override
  public String device() {
    return "soft0";
  }
}
