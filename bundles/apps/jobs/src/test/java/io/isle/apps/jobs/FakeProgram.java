package io.isle.apps.jobs;

import io.isle.api.accel.Program;
import java.util.List;

/** A built-in program that was loaded. */
record FakeProgram(String name) implements Program {
  @Override
  public long id() {
    return 1;
  }

  @Override
  public List<Entry> entries() {
    return List.of(new Entry(name, FakePrograms.ENTRIES.get(name)));
  }

  @Override
  public void close() {}
}
