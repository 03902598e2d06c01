package io.isle.lib.model.engine;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The C library of nets, {@code libisle_infer.so}. It is looked for once: in the folder of the
 * system property {@code isle.native.dir} or {@code isle.native}, else where the platform keeps its
 * libraries.
 */
public final class NetLibrary {
  /** Number of the best function that the processor runs. */
  static final int BEST = 0;

  /** Number of the function for any processor. */
  static final int PORTABLE = 1;

  /** Number of the function for AVX-512 with VNNI. */
  static final int AVX512 = 2;

  private static final String NAME = "libisle_infer.so";
  private static final FunctionDescriptor TYPE = FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS);

  private static final MethodHandle RUN = handle(BEST).orElse(null);

  private NetLibrary() {}

  /** Whether nets are computed by the library. */
  public static boolean available() {
    return RUN != null;
  }

  static int run(MemorySegment net, MemorySegment run) {
    try {
      return (int) RUN.invokeExact(net, run);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** The function for a kind of processor; none without the library, or on another processor. */
  @SuppressWarnings("restricted")
  static Optional<MethodHandle> handle(int unit) {
    Optional<Path> path = path();
    if (path.isEmpty()) {
      return Optional.empty();
    }
    Linker linker = Linker.nativeLinker();
    MemorySegment select =
        SymbolLookup.libraryLookup(path.get(), Arena.global()).findOrThrow("isle_infer_select");
    MemorySegment function;
    try {
      function =
          (MemorySegment)
              linker
                  .downcallHandle(select, FunctionDescriptor.of(ADDRESS, JAVA_INT))
                  .invokeExact(unit);
    } catch (Throwable e) {
      throw unexpected(e);
    }
    return function.address() == 0
        ? Optional.empty()
        : Optional.of(linker.downcallHandle(function, TYPE, Linker.Option.critical(true)));
  }

  private static Optional<Path> path() {
    for (String property : new String[] {"isle.native.dir", "isle.native"}) {
      String folder = System.getProperty(property);
      if (folder != null && Files.isRegularFile(Path.of(folder, NAME))) {
        return Optional.of(Path.of(folder, NAME).toAbsolutePath());
      }
    }
    String home = System.getProperty("karaf.home");
    return Optional.ofNullable(home)
        .map(folder -> Path.of(folder, "lib", "isle", "bin", NAME))
        .filter(Files::isRegularFile);
  }

  private static AssertionError unexpected(Throwable e) {
    return new AssertionError("the call of a C function failed inside the JVM", e);
  }
}
