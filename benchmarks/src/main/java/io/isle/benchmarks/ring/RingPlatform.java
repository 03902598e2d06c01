package io.isle.benchmarks.ring;

import io.isle.api.fabric.LinkInfo;
import io.isle.api.fabric.RingAdmin;
import io.isle.api.fabric.RingEndpoint;
import io.isle.api.fabric.Rings;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import io.isle.benchmarks.JavaProcess;
import io.isle.benchmarks.Settings;
import io.isle.benchmarks.embedded.EmbeddedPlatform;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.framework.BundleException;

/**
 * A platform with the master of a ring of two; the worker, with the stage {@code pass}, is another
 * process, which listens by each transport.
 */
final class RingPlatform implements AutoCloseable {
  /** Bytes of a packet: 4096 numbers. */
  static final int BYTES = 8 + 4 * 4096;

  private static final String NODE = "bench";
  private static final String TCP = "isle-fabric-tcp";

  private final EmbeddedPlatform platform;
  private final RingAdmin admin;
  private final byte[] tcp;
  private final JavaProcess worker;
  private final List<String> addresses;
  private final RingEndpoint endpoint;

  RingPlatform(Settings settings) throws IOException, BundleException {
    addresses = List.of(FreeAddress.of("udp"), FreeAddress.of("shm"), FreeAddress.of("tcp"));
    String here = FreeAddress.of("tcp");
    worker =
        new JavaProcess(
            settings,
            "0,1",
            RingProcess.class,
            List.of(),
            "pass",
            "isle",
            String.join(",", addresses),
            here,
            Integer.toString(BYTES),
            "50",
            "64");
    platform = EmbeddedPlatform.ofRings(settings);
    tcp = Files.readAllBytes(platform.file(TCP));
    admin = platform.service(RingAdmin.class);
    EmbeddedPlatform.await("three transports", () -> admin.transports().size() == 3);
    admin.create(
        NODE,
        Map.of(
            "role",
            "master",
            "packet_bytes",
            Integer.toString(BYTES),
            "prev.dialect",
            "isle",
            "next.dialect",
            "isle",
            "listen",
            here,
            "next",
            addresses.getLast()));
    endpoint =
        platform
            .service(Rings.class)
            .open(
                platform
                    .service(Capabilities.class)
                    .issue(
                        new CapabilitySpec(
                            "bench", EnumSet.allOf(Permission.class), Optional.empty(), 0)),
                NODE);
  }

  RingEndpoint endpoint() {
    return endpoint;
  }

  /** Where the worker listens; the first path leads to the last one. */
  List<String> addresses() {
    return addresses;
  }

  /** Exchanges the bundle of TCP. */
  void updateTcp() throws BundleException {
    platform.bundle(TCP).update(new ByteArrayInputStream(tcp));
  }

  /** Moves the next path to another address of the worker, and waits until packets use it. */
  void switchTo(String address) {
    long before = next().counters().paths();
    admin.set(NODE, Map.of("next", address));
    EmbeddedPlatform.await(
        "packets use " + address,
        () -> next().counters().paths() > before && next().addresses().equals(List.of(address)));
  }

  LinkInfo next() {
    return endpoint.info().next();
  }

  /** The number of paths of both links so far. */
  long paths() {
    return next().counters().paths() + endpoint.info().prev().counters().paths();
  }

  @Override
  public void close() throws IOException {
    try (worker) {
      endpoint.close();
      platform.close();
    }
  }
}
