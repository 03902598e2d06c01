package io.isle.apps.jobs;

import io.isle.api.accel.ArgumentKind;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.KernelInfo;
import io.isle.api.accel.Program;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A program that was loaded. Entries are called as their builtins, with '_' for '-'.
 *
 * @param described whether the driver describes its kernels
 */
record FakeProgram(List<String> builtins, boolean described) implements Program {
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
    return described
        ? IntStream.range(0, builtins.size()).mapToObj(this::kernel).toList()
        : List.of();
  }

  private KernelInfo kernel(int entry) {
    List<String> kinds = FakePrograms.ENTRIES.get(builtins.get(entry));
    List<KernelInfo.Argument> arguments = new ArrayList<>();
    for (String text : kinds) {
      ArgumentKind kind = ArgumentKind.valueOf(text.toUpperCase(Locale.ROOT));
      boolean scalar = kind.isScalar();
      boolean wide = text.endsWith("64");
      // what is read only comes first
      boolean reads = arguments.isEmpty() && kinds.lastIndexOf("buffer") > 0;
      arguments.add(
          new KernelInfo.Argument(
              "",
              text,
              Optional.of(kind),
              scalar ? 0 : reads ? Buffer.READ : Buffer.READ | Buffer.WRITE,
              scalar ? wide ? 8 : 4 : 0,
              scalar ? Optional.of(kind) : Optional.empty(),
              scalar ? 1 : 0));
    }
    return new KernelInfo(
        builtins.get(entry).replace('-', '_'), entry, List.of(), 0, 0, 0, "", "", arguments);
  }

  @Override
  public void close() {}
}
