package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import java.util.List;

/** Mutants of {@link FileCases}. */
final class FileMutants {
  private static final String LOAD = "ProgramSources.load";

  private FileMutants() {}

  static void add(Mutants to) {
    to.spoil(
        "program/files",
        1,
        77,
        (sent, world) -> Mutants.programs(sent, world).contains(World.FILES));
    to.on("program/files-error", LOAD, renaming("lib/byte.h:3", "line 3"));
    to.on("program/files-missing", LOAD, renaming("types.h", "a file"));
    to.on(
        "program/files-limits",
        LOAD,
        (what, args, real, world) -> {
          if (((List<?>) args[2]).size() + ((List<?>) args[3]).size() > 63) {
            throw new DriverException(Errno.EMSGSIZE, "files: too many");
          }
          return real.call(args);
        });
  }

  /** Failures whose message has one text get another in its place. */
  private static Hook renaming(String from, String to) {
    return (what, args, real, world) -> {
      try {
        return real.call(args);
      } catch (DriverException e) {
        throw new DriverException(e.code(), e.getMessage().replace(from, to));
      }
    };
  }
}
