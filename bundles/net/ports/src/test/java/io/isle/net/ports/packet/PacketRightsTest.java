package io.isle.net.ports.packet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.api.net.port.OpenPort;
import io.isle.api.net.port.PortOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Without rights; they belong to a thread, and a thread that gives them up does not get them back.
 */
@Timeout(60)
class PacketRightsTest {
  private static final int CAP_NET_RAW = 13;
  private static final int CAP_SYS_ADMIN = 21;

  /** Of the structure user_cap_header: two sets of 32 bits each. */
  private static final int VERSION = 0x20080522;

  private static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT;

  private final PacketPorts ports = new PacketPorts();

  @AfterEach
  void close() {
    ports.deactivate();
  }

  /** Opens a port on a thread without a capability; what it was refused with. */
  private NetException refused(int capability, String place) {
    return CompletableFuture.supplyAsync(
            () -> {
              give(capability);
              try (OpenPort port = ports.open(place, PortOptions.DEFAULT)) {
                throw new AssertionError(port.address() + " was opened");
              } catch (NetException e) {
                return e;
              }
            },
            task -> Thread.ofPlatform().start(task))
        .join();
  }

  /** Takes a capability from the calling thread, for good. */
  private static void give(int capability) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment header = arena.allocate(8, 4);
      header.set(U32, 0, VERSION);
      // effective, permitted, inheritable, two of each
      MemorySegment sets = arena.allocate(24, 4);
      check("capget", (int) handle("capget").invokeExact(header, sets));
      for (long at = 0; at < 3; at++) {
        sets.set(U32, 4 * at, sets.get(U32, 4 * at) & ~(1 << capability));
      }
      check("capset", (int) handle("capset").invokeExact(header, sets));
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @SuppressWarnings("restricted")
  private static MethodHandle handle(String name) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow(name),
        FunctionDescriptor.of(U32, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
  }

  private static void check(String call, int code) {
    assertEquals(0, code, call);
  }

  private static void says(NetException refusal, String... words) {
    assertEquals(Errno.EPERM, refusal.code(), refusal.getMessage());
    for (String word : words) {
      assertTrue(refusal.getMessage().contains(word), refusal.getMessage());
    }
  }

  @Test
  void anInterfaceNeedsTheRightToRawSockets() {
    says(refused(CAP_NET_RAW, "lo"), "packet:lo: ", "CAP_NET_RAW", "as root", "udp");
  }

  @Test
  void theNamespaceOfAnotherNeedsTheRightToEnterIt() {
    says(
        refused(CAP_SYS_ADMIN, "/proc/self/ns/net:lo"),
        "packet:/proc/self/ns/net:lo: ",
        "CAP_SYS_ADMIN",
        "as root");
  }
}
