package io.isle.core.drivers.nativecode;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.lib.kabi.ControlOp;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * How a driver's process is confined; docs/sandbox.md says by what.
 *
 * @param memoryBytes most private memory of the process; 0 for no limit
 * @param debug lets a debugger attach
 */
public record Sandbox(Profile profile, long memoryBytes, boolean debug) {
  private static final int MAX_LINES = 32;
  private static final int MAX_LINE = 200;

  /** 4 GiB of private memory; what the core shares does not count. */
  public static final Sandbox DEFAULT = new Sandbox(Profile.COMPUTE, 4L << 30, false);

  /** What a driver needs. */
  public enum Profile {
    /** Processors and memory. */
    COMPUTE,
    /** Device nodes and ioctl besides. */
    GPU;

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
                      Errno.EINVAL, "sandbox profile '" + name + "' is not compute or gpu"));
    }

    /** The name in lower case. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Arguments of the driver host. */
  List<String> arguments() {
    String profileArgument = "--profile=" + profile.text();
    String memoryArgument = "--memory=" + memoryBytes;
    return debug
        ? List.of(profileArgument, memoryArgument, "--debug")
        : List.of(profileArgument, memoryArgument);
  }

  /** What a host says was applied and what was not, a line each; empty without a host. */
  static List<String> report(Lane lane, ControlClient control) {
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
