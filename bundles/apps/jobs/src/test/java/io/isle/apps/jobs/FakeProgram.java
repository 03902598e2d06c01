package io.isle.apps.jobs;

import io.isle.api.accel.KernelInfo;
import io.isle.api.accel.Program;
import java.util.List;

/** A program that was loaded. Entries are called as their builtins, with '_' for '-'. */
record FakeProgram(List<String> builtins) implements Program {
  @Override
  public long id() {
    return 1;
  }

  @Override
  public List<Entry> entries() {
    return builtins.stream()
        .map(name -> new Entry(name.replace('-', '_'), FakePrograms.ENTRIES.get(name)))
        .toList();
  }

  @Override
  public List<KernelInfo> kernels() {
    return List.of();
  }

  @Override
  public void close() {}
}
