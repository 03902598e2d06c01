package io.isle.spin.jobs;

import io.isle.api.jobs.ActionParameter;
import io.isle.api.jobs.ActionStep;
import io.isle.api.jobs.ActionValues;
import io.isle.api.tenancy.Capability;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A step whose outputs stay in memory. */
public final class FakeStep implements ActionStep {
  public final Map<String, ByteArrayOutputStream> written = new HashMap<>();
  public final Map<String, Double> measures = new HashMap<>();
  public final List<String> lines = new ArrayList<>();
  private final ActionValues values;
  public long bytes;

  public FakeStep(List<ActionParameter> parameters, Map<String, String> given) {
    values = values(parameters, given);
  }

  public static ActionValues values(List<ActionParameter> parameters, Map<String, String> given) {
    Map<String, String> all = new HashMap<>();
    parameters.forEach(one -> one.preset().ifPresent(value -> all.put(one.name(), value)));
    all.putAll(given);
    return new ActionValues(all);
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
    return "spin0";
  }

  @Override
  public Capability capability() {
    return null;
  }

  @Override
  public ActionValues values() {
    return values;
  }

  @Override
  public InputStream read(String parameter) throws IOException {
    return Files.newInputStream(values.path(parameter));
  }

  @Override
  public OutputStream write(String parameter) {
    return written.computeIfAbsent(parameter, name -> new ByteArrayOutputStream());
  }

  @Override
  public void done(long count, long blocks) {
    bytes += count;
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
}
