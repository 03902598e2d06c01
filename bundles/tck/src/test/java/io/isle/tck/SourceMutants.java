package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.Programs;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Mutants of {@link SourceCases}. */
final class SourceMutants {
  private static final String LOAD = "Programs.load";

  private SourceMutants() {}

  static void add(Mutants to) {
    to.add("program/kinds", SourceMutants::changingKinds);
    to.spoil(
        "program/opencl-c",
        1,
        77,
        (sent, world) -> Mutants.programs(sent, world).stream().anyMatch(SourceCases.FILL::equals));
    to.code(
        "program/build-error",
        LOAD,
        args -> text(args).equals(SourceCases.GARBAGE),
        Errno.EINVAL,
        Errno.ENOENT);
    to.arguments(
        "program/build-options",
        LOAD,
        (args, world) -> {
          if (args.length > 4 && args[4].equals(SourceCases.BAD_OPTION)) {
            args[4] = "";
          }
        });
    to.on(
        "program/long-source",
        LOAD,
        (what, args, real, world) -> {
          if (text(args).length() > 1_000_000) {
            throw new DriverException(Errno.EMSGSIZE, "source: too long");
          }
          return real.call(args);
        });
  }

  private static String text(Object[] args) {
    return new String((byte[]) args[3], StandardCharsets.UTF_8);
  }

  /** Takes one kind more when it is asked again. */
  private static Hook changingKinds() {
    AtomicInteger asked = new AtomicInteger();
    return (what, args, real, world) -> {
      Object result = real.call(args);
      if (!what.equals("Programs.kinds") || asked.getAndIncrement() == 0) {
        return result;
      }
      Set<Programs.Kind> more = EnumSet.of(Programs.Kind.PTX);
      ((Set<?>) result).forEach(kind -> more.add((Programs.Kind) kind));
      return more;
    };
  }
}
