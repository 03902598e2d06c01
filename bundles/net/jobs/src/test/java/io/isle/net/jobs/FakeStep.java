package io.isle.net.jobs;

import io.isle.api.jobs.ActionStep;
import io.isle.api.jobs.ActionValues;
import io.isle.api.tenancy.Capability;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A step with files in memory. */
final class FakeStep implements ActionStep {
  final Map<String, Double> measures = new HashMap<>();
  final List<String> lines = new ArrayList<>();
  final ByteArrayOutputStream out = new ByteArrayOutputStream();
  Capability capability;
  long done;
  private final byte[] in;
  private final Map<String, String> values = new HashMap<>();

  FakeStep(byte[] in, Map<String, String> given) {
    this.in = in;
    new EchoAction(null, null)
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
    done += bytes;
  }

  @Override
  public void measure(String name, double value) {
    measures.put(name, value);
  }

  @Override
  public boolean scheduleOver() {
    return true;
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
