package io.isle.core.drivers.nativecode.host;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.core.drivers.nativecode.control.ControlClient;
import io.isle.core.drivers.nativecode.control.Lane;
import io.isle.lib.kabi.ControlOp;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How a driver's process is confined; docs/sandbox.md says by what.
 *
 * @param memoryBytes most private memory of the process; 0 for no limit
 * @param debug lets a debugger attach
 * @param cache the folder that the driver may write in, which exists
 */
public record Sandbox(Profile profile, long memoryBytes, boolean debug, Optional<Path> cache) {
  private static final int MAX_LINES = 32;
  private static final int MAX_LINE = 200;

  /** 4 GiB of private memory; what the core shares does not count. */
  public static final Sandbox DEFAULT = new Sandbox(Profile.COMPUTE, 4L << 30, false);

  /** Without a folder to write in. */
  public Sandbox(Profile profile, long memoryBytes, boolean debug) {
    this(profile, memoryBytes, debug, Optional.empty());
  }

  /** What a driver needs. */
  public enum Profile {
    /** Processors and memory. */
    COMPUTE,
    /** Device nodes and ioctl besides. */
    GPU,
    /** Device nodes, a folder to write in, and the linker. */
    OPENCL;

    /**
     * The profile of this name, in lower case.
     *
     * @throws DriverException EINVAL naming those that there are
     */
    public static Profile of(String name) {
      return Arrays.stream(values())
          .filter(profile -> profile.text().equals(name))
          .findFirst()
          .orElseThrow(
              () ->
                  new DriverException(
                      Errno.EINVAL,
                      "sandbox profile '" + name + "' is not compute, gpu or opencl"));
    }

    /** The name in lower case. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Arguments of the driver host. */
  List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    arguments.add("--profile=" + profile.text());
    arguments.add("--memory=" + memoryBytes);
    cache.ifPresent(folder -> arguments.add("--cache=" + folder.toAbsolutePath()));
    if (debug) {
      arguments.add("--debug");
    }
    return arguments;
  }

  /** What a host says was applied and what was not, a line each; empty without a host. */
  public static List<String> report(Lane lane, ControlClient control) {
    if (lane.hostPid().isEmpty()) {
      return List.of();
    }
    byte[] text = control.call(ControlOp.SANDBOX).body().toArray(ValueLayout.JAVA_BYTE);
    return new String(text, StandardCharsets.UTF_8)
        .lines()
        .limit(MAX_LINES)
        .map(line -> line.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", " ").strip())
        .map(line -> line.substring(0, Math.min(line.length(), MAX_LINE)))
        .toList();
  }
}
