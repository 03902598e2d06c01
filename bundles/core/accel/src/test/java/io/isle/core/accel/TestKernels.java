package io.isle.core.accel;

import io.isle.api.driver.ArgumentKind;
import io.isle.api.driver.Kernel;
import io.isle.api.driver.ProgramEntry;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Kernels of a source, and what dispatches can run of them. */
public final class TestKernels {
  public static final Kernel.Argument BUFFER = buffer(3);
  public static final Kernel.Argument LOCAL =
      new Kernel.Argument(
          "room",
          "float*",
          Optional.of(ArgumentKind.LOCAL),
          0,
          4,
          Optional.of(ArgumentKind.F32),
          1);

  private TestKernels() {}

  public static Kernel.Argument buffer(int access) {
    return new Kernel.Argument(
        "to",
        "uchar*",
        Optional.of(ArgumentKind.BUFFER),
        access,
        1,
        Optional.of(ArgumentKind.U32),
        1);
  }

  public static Kernel.Argument number(ArgumentKind kind, int bytes) {
    return new Kernel.Argument("n", "number", Optional.of(kind), 0, bytes, Optional.of(kind), 1);
  }

  public static Kernel.Argument structure(int bytes) {
    return new Kernel.Argument(
        "s", "struct s", Optional.of(ArgumentKind.BYTES), 0, bytes, Optional.empty(), 0);
  }

  public static Kernel kernel(String name, int entry, Kernel.Argument... arguments) {
    return kernel(name, entry, List.of(), 256, arguments);
  }

  public static Kernel kernel(
      String name, int entry, List<Integer> group, int most, Kernel.Argument... arguments) {
    return new Kernel(name, entry, group, most, 0, 0, "", "", Arrays.asList(arguments));
  }

  /** Two that dispatches can run, then those that need a launch, and one for nothing. */
  public static List<Kernel> all() {
    return List.of(
        kernel("scale", 0, BUFFER, number(ArgumentKind.F32, 4)),
        kernel("fixed", 1, List.of(8, 2, 1), 256, BUFFER, number(ArgumentKind.U32, 2)),
        kernel("tile", 2, BUFFER, LOCAL, structure(16)),
        new Kernel(
            "picture", 3, List.of(), 0, 0, 0, "", "argument 0 (image2d_t) is an image", List.of()),
        kernel("many", 4, Collections.nCopies(64, BUFFER).toArray(Kernel.Argument[]::new)),
        kernel(
            "largest", 5, Collections.nCopies(64, structure(16)).toArray(Kernel.Argument[]::new)));
  }

  /** The entries of {@link #all}. */
  public static List<ProgramEntry> entries() {
    return List.of(
        new ProgramEntry(
            "scale",
            0,
            List.of(
                new ProgramEntry.Argument(ProgramEntry.Kind.BUFFER, 2),
                new ProgramEntry.Argument(ProgramEntry.Kind.F32, 0))),
        new ProgramEntry(
            "fixed",
            1,
            List.of(
                new ProgramEntry.Argument(ProgramEntry.Kind.BUFFER, 2),
                new ProgramEntry.Argument(ProgramEntry.Kind.U32, 0))));
  }

  /** A device that describes them. */
  public static ScriptedDevice device(Fixture fixture) {
    ScriptedDevice device = new ScriptedDevice(fixture.attachment.completions());
    device.kernels = all();
    device.compiler = (kind, source, options) -> entries();
    return device;
  }

  /** A fixture whose device describes them. */
  public static Fixture fixture() {
    Fixture fixture = new Fixture();
    fixture.crash();
    fixture.recoverWith(device(fixture));
    return fixture;
  }
}
