package io.isle.faces.shell.ring.bench;

import io.isle.api.fabric.RingEndpoint;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.ring.EndpointPath;
import io.isle.lib.drive.Drive;
import io.isle.lib.drive.DriveCounters;
import io.isle.lib.drive.DrivePlan;
import io.isle.lib.drive.DriveResult;
import io.isle.lib.drive.DriveWatch;
import io.isle.lib.drive.Loss;
import io.isle.lib.drive.Positions;
import io.isle.lib.leap.Packets;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/** Packets round a ring with as many on their way as a window has room for. */
public final class Throughput {
  private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);

  private Throughput() {}

  /**
   * Measures.
   *
   * @param window most packets on their way, 1 to {@link RoundTrips#POSITIONS}
   * @param live receives the number of replies so far
   * @throws ShellException if nothing comes round, or the thread is interrupted
   */
  public static DriveResult run(
      RingEndpoint endpoint, int window, long lengthNs, LongConsumer live) {
    Positions positions = new Positions(0, RoundTrips.POSITIONS, 0);
    DrivePlan plan = new DrivePlan(positions, 0, window, TIMEOUT_NS);
    DriveWatch watch =
        new DriveWatch() {
          @Override
          public void progress(DriveCounters counters) {
            live.accept(counters.replies());
          }

          @Override
          public void lost(Loss loss) {
            // the result counts them
          }
        };
    int payload = endpoint.packetBytes() - Packets.HEADER_BYTES;
    try (TimedPayloads payloads = new TimedPayloads(payload, lengthNs)) {
      return Drive.lossy(
              new EndpointPath(endpoint), plan, payloads, (index, packet, offset) -> {}, watch)
          .run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ShellException.interrupted("the measurement was interrupted");
    }
  }
}
