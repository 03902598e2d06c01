package io.isle.fabric.jobs;

import io.isle.api.base.Errno;
import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.RingEndpoint;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.fabric.Rings;
import io.isle.api.jobs.ActionStep;
import io.isle.api.jobs.ActionValues;
import io.isle.api.jobs.JobException;
import io.isle.lib.drive.Drive;
import io.isle.lib.drive.DriveCounters;
import io.isle.lib.drive.DrivePlan;
import io.isle.lib.drive.DriveResult;
import io.isle.lib.drive.DriveWatch;
import io.isle.lib.drive.KeptPayloads;
import io.isle.lib.drive.Loss;
import io.isle.lib.drive.Positions;
import io.isle.lib.leap.Control;
import io.isle.lib.leap.Packets;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** One run of a step that sends a file round a ring. {@link #run} is called once. */
final class RingStep implements DriveWatch {
  private static final long MOST_KEPT = 1L << 30;
  private static final int BUFFER = 1 << 16;

  /** Further losses are only counted. */
  private static final int MOST_LINES = 5;

  private final Rings rings;
  private final Drives drives;
  private final ActionStep step;
  private final long beginNs = System.nanoTime();
  private final FailureWatch failures;
  private RingEndpoint endpoint;
  private int payloadBytes;
  private long reported;
  private long losses;

  // set before the step can be found
  private Drive drive;
  private OrderedReplies replies;

  RingStep(Rings rings, Drives drives, ActionStep step) {
    this.rings = rings;
    this.drives = drives;
    this.step = step;
    failures =
        new FailureWatch(beginNs, failure -> step.print(failure.node() + ": " + failure.text()));
  }

  void run() throws IOException, InterruptedException {
    ActionValues values = step.values();
    RingNodeInfo master = Workers.master(rings.nodes(), values.text(RingAction.NAME));
    Optional<Mix> mix =
        values.text(RingAction.VERIFY).equals("mix")
            ? Optional.of(Workers.mix(rings.nodes(), master))
            : Optional.empty();
    try (RingEndpoint opened = rings.open(step.capability(), master.name());
        InputStream in = new BufferedInputStream(step.read(RingAction.FILE), BUFFER)) {
      endpoint = opened;
      payloadBytes = payloadBytes(mix.isPresent());
      run(master.ring(), in, mix);
    }
  }

  private int payloadBytes(boolean mixed) {
    int bytes = endpoint.packetBytes() - Packets.HEADER_BYTES;
    if (bytes < 1 || mixed && bytes % Integer.BYTES != 0) {
      throw failed(
          Errno.EINVAL,
          "packets of "
              + endpoint.packetBytes()
              + " bytes have no payload"
              + (mixed ? " of whole numbers of 4 bytes" : ""));
    }
    return bytes;
  }

  private JobException failed(int code, String why) {
    return JobException.failed(code, endpoint.node() + ": " + why, null);
  }

  private void run(String ring, InputStream in, Optional<Mix> mix)
      throws IOException, InterruptedException {
    boolean all = step.values().text(RingAction.UNTIL).equals("faults");
    DrivePlan plan = plan();
    try (StreamPayloads payloads =
            new StreamPayloads(in, payloadBytes, () -> all && !step.scheduleOver());
        KeptPayloads kept = new KeptPayloads(plan, payloadBytes)) {
      Optional<OutputStream> out =
          step.values().has(RingAction.OUT)
              ? Optional.of(new BufferedOutputStream(step.write(RingAction.OUT), BUFFER))
              : Optional.empty();
      replies = new OrderedReplies(kept, payloadBytes, plan.noReply(), payloads::bytes, out, mix);
      drive = Drive.exact(new EndpointPath(endpoint), plan, payloads, replies, kept, this);
      DriveResult result = driven(ring);
      if (out.isPresent()) {
        out.get().flush();
      }
      failures.look(endpoint.info());
      tell(
          ring,
          new RingMeasures(
              result,
              losses,
              mix.isPresent() ? replies.wrong() : -1,
              result.replies() * payloadBytes,
              beginNs,
              failures.failures(),
              drives.faults(ring).stream().filter(fault -> fault.ns() - beginNs >= 0).toList()));
    }
  }

  private DriveResult driven(String ring) throws InterruptedException {
    drives.begin(ring, this);
    try {
      return drive.run();
    } finally {
      drives.end(ring);
    }
  }

  private void tell(String ring, RingMeasures measures) {
    measures.values().forEach(step::measure);
    measures.table(ring).forEach(step::print);
    if (measures.wrong() > 0) {
      throw failed(
          Errno.EIO, measures.wrong() + " replies differ from the results of the processor");
    }
  }

  private DrivePlan plan() {
    ActionValues values = step.values();
    boolean leap = endpoint.info().next().dialect() == Dialect.LEAP;
    // of dialect leap, a packet at the position of the marker looks like a control packet
    long most =
        values.has(RingAction.POS_MAX)
            ? values.whole(RingAction.POS_MAX)
            : leap ? Control.MARKER : Positions.ALL;
    int next = endpoint.info().position();
    long first =
        values.has(RingAction.POS) ? values.whole(RingAction.POS) : next < 0 ? 0 : next % most;
    if (first >= most) {
      throw failed(Errno.EINVAL, "pos: " + first + " is not below " + most + "; set pos_max");
    }
    DrivePlan plan =
        new DrivePlan(
            new Positions(0, most, first),
            values.whole(RingAction.NO_REPLY),
            (int) values.whole(RingAction.WINDOW),
            TimeUnit.MILLISECONDS.toNanos(values.whole(RingAction.TIMEOUT)));
    long bytes = KeptPayloads.bytes(plan, payloadBytes);
    if (bytes > MOST_KEPT) {
      throw failed(
          Errno.ENOMEM,
          "window: "
              + plan.window()
              + " packets need "
              + bytes
              + " bytes of memory; at most "
              + MOST_KEPT
              + " are possible");
    }
    return plan;
  }

  /** Divides the layers while no packet is on its way. Any thread but that of the step. */
  void resize(List<Integer> boundaries) throws InterruptedException {
    drive.change(
        () -> {
          List<LayerRange> ranges = endpoint.resize(boundaries);
          replies.compute(new Mix(ranges.getFirst().start(), ranges.getLast().end()));
        });
  }

  @Override
  public void progress(DriveCounters counters) {
    long now = counters.replies();
    if (now > reported) {
      step.done((now - reported) * payloadBytes, now - reported);
      reported = now;
    }
    failures.look(endpoint.info());
  }

  @Override
  public void lost(Loss loss) {
    losses++;
    if (losses <= MOST_LINES) {
      step.print(endpoint.node() + ": " + loss.text() + "; it is sent again");
    } else if (losses == MOST_LINES + 1) {
      step.print(endpoint.node() + ": further lost packets are only counted");
    }
  }
}
