package io.isle.faces.shell.ring;

import io.isle.api.base.ExitStatus;
import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.RingEndpoint;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.Progress;
import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.ring.drive.FilePayloads;
import io.isle.faces.shell.ring.drive.ReplyFile;
import io.isle.lib.drive.Drive;
import io.isle.lib.drive.DriveCounters;
import io.isle.lib.drive.DrivePlan;
import io.isle.lib.drive.DriveResult;
import io.isle.lib.drive.DriveWatch;
import io.isle.lib.drive.Loss;
import io.isle.lib.drive.Positions;
import io.isle.lib.leap.Packets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Sends a file round a ring and keeps its replies. {@link #run} is called once. */
final class FileDrive {
  /** Further losses are only counted. */
  private static final int MOST_LINES = 20;

  private final RingEndpoint endpoint;
  private final Progress progress;
  private long losses;

  FileDrive(RingEndpoint endpoint, Progress progress) {
    this.endpoint = endpoint;
    this.progress = progress;
  }

  /**
   * A drive as it is wanted.
   *
   * @param pos position of the first packet; null: on from the node's
   * @param posMax number of positions
   * @param noReply number of first packets without a requested reply
   * @param window most packets on their way
   * @param timeoutNs without any reply
   */
  record Wanted(
      Path in, Path out, Long pos, long posMax, long noReply, int window, long timeoutNs) {}

  /**
   * A drive that has come to its end.
   *
   * @param positions of its packets
   * @param bytesIn of the file that was sent
   * @param bytesOut of the file with the replies
   */
  record Done(
      String node,
      Wanted wanted,
      Positions positions,
      DriveResult result,
      long bytesIn,
      long bytesOut) {
    void print(Output output) {
      if (output.json()) {
        output.document(document());
        return;
      }
      output.line(
          String.format(
              Locale.ROOT,
              "%s: %d packets, %d replies, %d lost, %.3f s, %.2f MB/s",
              node,
              result.packets(),
              result.replies(),
              result.lost().cardinality(),
              result.elapsedNs() / 1e9,
              megabytes()));
      output.line(wanted.out() + " has " + bytesOut + " bytes of replies");
    }

    private double megabytes() {
      return bytesIn * 1e3 / Math.max(1, result.elapsedNs());
    }

    private Map<String, Object> document() {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("node", node);
      all.put("in", wanted.in().toString());
      all.put("out", wanted.out().toString());
      all.put("packets", result.packets());
      all.put("replies", result.replies());
      all.put("lost", result.lost().cardinality());
      all.put("late", result.late());
      all.put("strays", result.strays());
      all.put("old", result.old());
      all.put("broken", result.broken());
      all.put("first_position", positions.first());
      all.put("next_position", (long) positions.at(result.packets()));
      all.put("bytes_in", bytesIn);
      all.put("bytes_out", bytesOut);
      all.put("elapsed_ns", result.elapsedNs());
      all.put("mb_per_s", megabytes());
      return all;
    }

    /** Fails if replies are lost: the file is not all. */
    void check() {
      int lost = result.lost().cardinality();
      if (lost > 0) {
        throw ShellException.failed(
            lost
                + " of "
                + (result.replies() + lost)
                + " replies are lost, and "
                + wanted.out()
                + " has the others; see ring:status for the link, or use a transport that loses"
                + " nothing");
      }
    }
  }

  Done run(Wanted wanted) {
    int payload = endpoint.packetBytes() - Packets.HEADER_BYTES;
    if (payload < 1) {
      throw ShellException.failed(
          endpoint.node() + ": packets of " + endpoint.packetBytes() + " bytes have no payload");
    }
    try (FilePayloads payloads = FilePayloads.open(wanted.in(), payload)) {
      Positions positions = positions(wanted, payloads.count());
      long silent = Math.min(wanted.noReply(), payloads.count());
      try (ReplyFile replies = ReplyFile.open(wanted.out(), silent, payload)) {
        DrivePlan plan = new DrivePlan(positions, silent, wanted.window(), wanted.timeoutNs());
        DriveWatch watch = watch(payloads.count(), payload);
        DriveResult result =
            run(Drive.lossy(new EndpointPath(endpoint), plan, payloads, replies, watch), replies);
        long bytes = Math.max(0, payloads.size() - Math.min(silent, result.packets()) * payload);
        long written = replies.commit(result.lost(), bytes);
        return new Done(endpoint.node(), wanted, positions, result, payloads.size(), written);
      }
    } catch (IOException e) {
      throw ShellException.failed(e.getMessage());
    }
  }

  /** A drive that fails names the file with the replies so far. */
  private DriveResult run(Drive drive, ReplyFile replies) throws IOException {
    try {
      return drive.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ShellException.interrupted("the drive was interrupted" + partial(replies));
    } catch (RuntimeException e) {
      int status = e instanceof ExitStatus with ? with.exitStatus() : ExitStatus.FAILED;
      String text = e.getMessage() + partial(replies);
      throw status == ExitStatus.USAGE ? ShellException.usage(text) : ShellException.failed(text);
    }
  }

  private static String partial(ReplyFile replies) throws IOException {
    // an interrupted thread may not write to a file
    boolean interrupted = Thread.interrupted();
    try {
      return replies.keep().map(part -> "; the replies so far are in " + part).orElse("");
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * @param packets Long.MAX_VALUE if the number is not known: then a packet that would look like a
   *     control packet fails when its turn comes
   */
  private Positions positions(Wanted wanted, long packets) {
    boolean known = packets != Long.MAX_VALUE;
    if (known && packets > Integer.MAX_VALUE) {
      throw ShellException.failed(
          wanted.in()
              + " needs "
              + packets
              + " packets; at most "
              + Integer.MAX_VALUE
              + " are possible");
    }
    int next = endpoint.info().position();
    boolean onward = next >= 0 && next < wanted.posMax();
    long first = wanted.pos() != null ? wanted.pos() : onward ? next : 0;
    Positions positions = new Positions(0, wanted.posMax(), first);
    if (known && endpoint.info().next().dialect() == Dialect.LEAP) {
      long control = positions.firstLikeControl(packets);
      if (control >= 0) {
        throw ShellException.failed(
            "position "
                + control
                + " would look like a control packet; choose other positions: --pos-max "
                + Math.max(1, control)
                + " stays below, and --pos "
                + (control + 1)
                + " begins behind");
      }
    }
    return positions;
  }

  private DriveWatch watch(long packets, int payload) {
    return new DriveWatch() {
      @Override
      public void progress(DriveCounters counters) {
        progress.show(
            () ->
                String.format(
                    Locale.ROOT,
                    "%s: %d%s packets, %d replies, %.1f MB",
                    endpoint.node(),
                    counters.packets(),
                    packets == Long.MAX_VALUE ? "" : " of " + packets,
                    counters.replies(),
                    counters.packets() * (double) payload / 1e6));
      }

      @Override
      public void lost(Loss loss) {
        losses++;
        if (losses <= MOST_LINES) {
          progress.print(endpoint.node() + ": " + loss.text());
        } else if (losses == MOST_LINES + 1) {
          progress.print(endpoint.node() + ": further lost replies are only counted");
        }
      }
    };
  }
}
