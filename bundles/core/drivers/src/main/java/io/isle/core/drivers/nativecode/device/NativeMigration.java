package io.isle.core.drivers.nativecode.device;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.PageMigration;
import io.isle.core.drivers.nativecode.control.ControlClient;
import io.isle.core.drivers.nativecode.control.Decoder;
import io.isle.lib.kabi.CStruct;
import io.isle.lib.kabi.ControlOp;
import io.isle.lib.kabi.WireStructs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Pages of a native device on their way. */
final class NativeMigration implements PageMigration {
  private static final int TO_DEVICE = 1;
  private static final int TO_CPU = 2;

  private final ControlClient control;

  NativeMigration(ControlClient control) {
    this.control = control;
  }

  @Override
  public List<Integer> migrate(long context, List<Page> pages, Location target, int flags) {
    if (pages.size() > MAX_PAGES || (flags & ~(FORCE | PREFETCH)) != 0) {
      throw new DriverException(
          Errno.EINVAL, pages.size() + " pages (at most " + MAX_PAGES + ") with flags " + flags);
    }
    try (Arena arena = Arena.ofConfined()) {
      CStruct type = WireStructs.MIGRATE_REQUEST;
      CStruct page = WireStructs.PAGE;
      MemorySegment body = arena.allocate(type.size() + pages.size() * page.size(), 8);
      type.set(body, "context", context);
      type.set(body, "count", pages.size());
      type.set(body, "flags", flags | (target == Location.DEVICE ? TO_DEVICE : TO_CPU));
      for (int i = 0; i < pages.size(); i++) {
        MemorySegment at = body.asSlice(type.size() + i * page.size(), page.size());
        page.set(at, "memory", pages.get(i).memory());
        page.set(at, "offset", pages.get(i).offset());
      }
      ControlClient.Reply reply = control.call(ControlOp.MIGRATE_PAGES, body);
      List<Integer> results = new ArrayList<>(pages.size());
      for (int i = 0; i < pages.size(); i++) {
        results.add(
            Decoder.range(
                "migration result", reply.u32(ControlOp.MIGRATE_PAGES, 4L * i), -4095, 0));
      }
      return results;
    }
  }
}
