package io.isle.apps.jobs;

import io.isle.api.accel.KernelInfo;
import io.isle.api.accel.Program;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that was loaded. Entries are called as their builtins, with '_' for '-'.
 *
 * @param described kernels with all that the driver says; none of a driver that says nothing
 */
record FakeProgram(List<String> builtins, List<FakeKernel> described) implements Program {
  @Override
  public long id() {
    return 1;
  }

  @Override
  public List<Entry> entries() {
    return builtins.stream()
        .map(
            name ->
                new Entry(
                    name.replace('-', '_'),
                    FakePrograms.arguments(name).stream()
                        .map(kind -> kind.equals("const") ? "buffer" : kind)
                        .toList()))
        .toList();
  }

  @Override
  public List<KernelInfo> kernels() {
    List<KernelInfo> kernels = new ArrayList<>();
    for (FakeKernel kernel : described) {
      kernels.add(kernel.info(kernels.size()));
    }
    return kernels;
  }

  @Override
  public void close() {}
}
