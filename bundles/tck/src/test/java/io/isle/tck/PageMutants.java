package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.driver.PageMigration;
import io.isle.api.driver.PageMigration.Location;
import io.isle.api.driver.PageRetirement.Range;
import java.util.List;

/** Mutants of {@link PageCases}. */
final class PageMutants {
  private static final String MIGRATE = "PageMigration.migrate";

  private PageMutants() {}

  static void add(Mutants to) {
    to.on(
        "pages/faulty-page",
        "CompletionSink.complete",
        (what, args, real, world) ->
            (int) args[5] == -Errno.EHWPOISON
                ? real.call(args[0], args[1], args[2], args[3], args[4], -Errno.EIO)
                : real.call(args));
    to.on("pages/retired-page", "PageRetirement.retire", PageMutants::notCleared);
    to.swallow("pages/retire-what-is-well", "PageRetirement.retire", Errno.EINVAL);
    to.on("pages/migrate-and-return", MIGRATE, PageMutants::nowhere);
    to.<List<Integer>>result(
        "pages/migrate-unknown-memory",
        MIGRATE,
        codes -> codes.stream().map(code -> code == -Errno.ENOENT ? 0 : code).toList());
    to.arguments(
        "pages/migrate-pinned",
        MIGRATE,
        (args, world) -> args[3] = (int) args[3] | PageMigration.FORCE);
  }

  /** The new page has the old one's bytes. */
  private static Object notCleared(String what, Object[] args, Hook.Real real, World world)
      throws Throwable {
    Range range = (Range) args[0];
    Object result = real.call(args);
    world.memory.get(range.memory()).cpu().asSlice(range.offset(), range.length()).fill((byte) 1);
    return result;
  }

  /** Pages that went to the CPU's side are back at once. */
  private static Object nowhere(String what, Object[] args, Hook.Real real, World world)
      throws Throwable {
    Object result = real.call(args);
    if (args[2] == Location.CPU) {
      real.call(args[0], args[1], Location.DEVICE, args[3]);
    }
    return result;
  }
}
