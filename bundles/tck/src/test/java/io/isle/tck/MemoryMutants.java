package io.isle.tck;

import io.isle.api.base.Errno;
import io.isle.api.driver.AllocArgs;
import io.isle.api.driver.Allocation;
import io.isle.api.driver.ContextArgs;
import java.util.Optional;

/** Mutants of {@link MemoryCases}. */
final class MemoryMutants {
  private static final String ALLOCATE = "AccelDevice.allocate";
  private static final String FREE = "AccelDevice.free";

  private MemoryMutants() {}

  static void add(Mutants to) {
    to.<Allocation>result("memory/size", ALLOCATE, made -> new Allocation(0, made.cpu()));
    to.arguments(
        "memory/bad-size",
        ALLOCATE,
        (args, world) -> args[2] = with(args, Math.max(1, size(args)), align(args), flags(args)));
    to.arguments(
        "memory/bad-alignment",
        ALLOCATE,
        (args, world) ->
            args[2] = with(args, size(args), align(args) == 3 ? 4 : align(args), flags(args)));
    to.arguments(
        "memory/bad-flags",
        ALLOCATE,
        (args, world) -> args[2] = with(args, size(args), align(args), flags(args) & 0x700));
    to.on("memory/alignment", ALLOCATE, MemoryMutants::unaligned);
    to.on("memory/zeroed", ALLOCATE, MemoryMutants::leftovers);
    to.code("memory/device-full", ALLOCATE, MemoryMutants::isLarge, Errno.ENOMEM, Errno.EIO);
    to.arguments(
        "memory/context-limit",
        "AccelDevice.createContext",
        (args, world) -> args[1] = ContextMutants.limits((ContextArgs) args[1], false, true));
    to.on(
        "memory/free-gives-back",
        FREE,
        (what, args, real, world) -> isWhole(args, world) ? null : real.call(args));
    to.swallow("memory/free-unknown", FREE, Errno.ENOENT);
    to.swallow("memory/free-in-use", FREE, Errno.EBUSY);
    to.forgive(
        "memory/use-after-free",
        (sent, world) -> sent.objects().stream().anyMatch(world.freed::contains));
    to.forgive(
        "memory/foreign",
        (sent, world) ->
            sent.objects().stream()
                .filter(id -> !world.freed.contains(id))
                .map(world.memory::get)
                .anyMatch(piece -> piece != null && piece.context() != sent.context()));
  }

  private static long size(Object[] args) {
    return ((AllocArgs) args[2]).size();
  }

  private static long align(Object[] args) {
    return ((AllocArgs) args[2]).alignment();
  }

  private static int flags(Object[] args) {
    return ((AllocArgs) args[2]).flags();
  }

  private static AllocArgs with(Object[] args, long size, long alignment, int flags) {
    return new AllocArgs(size, alignment, ((AllocArgs) args[2]).pageSize(), flags);
  }

  private static boolean isLarge(Object[] args) {
    return size(args) > 8 << 20 && size(args) < 1L << 30;
  }

  private static boolean isWhole(Object[] args, World world) {
    World.Piece piece = world.memory.get((Long) args[0]);
    return piece != null && piece.size() == 16 << 20;
  }

  private static Object unaligned(String what, Object[] args, Hook.Real real, World world)
      throws Throwable {
    Allocation made = (Allocation) real.call(args);
    return align(args) == 512
        ? new Allocation(made.size(), Optional.of(made.cpu().orElseThrow().asSlice(8)))
        : made;
  }

  /** New memory of a size that was freed before is as it was left. */
  private static Object leftovers(String what, Object[] args, Hook.Real real, World world)
      throws Throwable {
    Allocation made = (Allocation) real.call(args);
    if (size(args) == 8192 && !world.freed.isEmpty()) {
      made.cpu().orElseThrow().fill((byte) 0x5a);
    }
    return made;
  }
}
