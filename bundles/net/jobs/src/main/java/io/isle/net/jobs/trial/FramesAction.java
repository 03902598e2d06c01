package io.isle.net.jobs.trial;

import io.isle.api.base.Errno;
import io.isle.api.jobs.ActionMistake;
import io.isle.api.jobs.ActionParameter;
import io.isle.api.jobs.ActionParameter.Kind;
import io.isle.api.jobs.ActionStep;
import io.isle.api.jobs.ActionValues;
import io.isle.api.jobs.JobAction;
import io.isle.api.jobs.JobException;
import io.isle.api.net.FrameMatch;
import io.isle.api.net.NetException;
import io.isle.api.net.tile.Tiles;
import io.isle.lib.packet.Ipv4;
import io.isle.lib.packet.capture.CaptureReader;
import io.isle.lib.packet.capture.LinkType;
import io.isle.lib.tile.RxDrop;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/**
 * A step that says of each frame of a capture file what a net with such settings would do with the
 * frame. A tile of its own receives the frames; no socket and no rights are needed.
 */
@Component(service = JobAction.class)
public final class FramesAction implements JobAction {
  static final String FILE = "file";
  static final String PORTS = "ports";
  static final String ADDRESS = "address";
  static final String CHECKSUM = "checksum";
  static final String TABLE = "table";

  /** Frames of the file. */
  private static final String FRAMES = "frames";

  /** Frames that the tile drops, of all reasons. */
  private static final String DROPPED = "dropped";

  /** The file has fewer bytes of the frame than the frame had. */
  private static final String CUT = "cut";

  /** More bytes than a frame of a UMEM has room for. */
  private static final String TOO_LONG = "too_long";

  /** Not of Ethernet. */
  private static final String OTHER_LINK = "other_link";

  private static final Set<String> OUTCOMES = outcomes();

  /** Dynamic: an update of the bundle of tiles, for which frames wait, has no more to do. */
  @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
  private volatile Tiles tiles;

  public FramesAction() {}

  FramesAction(Tiles tiles) {
    this.tiles = tiles;
  }

  private static Set<String> outcomes() {
    Set<String> outcomes = new LinkedHashSet<>(List.of(FrameTrial.APP, FrameTrial.KERNEL));
    for (RxDrop reason : RxDrop.values()) {
      outcomes.add(reason.text());
    }
    outcomes.addAll(List.of(CUT, TOO_LONG, OTHER_LINK));
    return outcomes;
  }

  @Override
  public String key() {
    return "frames";
  }

  @Override
  public List<ActionParameter> parameters() {
    return List.of(
        ActionParameter.of(FILE, Kind.FILE),
        ActionParameter.of(PORTS, Kind.TEXT),
        ActionParameter.of(ADDRESS, Kind.TEXT).orElse("any"),
        ActionParameter.choice(CHECKSUM, "off", "drop").orElse("off"),
        ActionParameter.of(TABLE, Kind.OUT).optional());
  }

  @Override
  public Optional<ActionMistake> check(ActionValues values) {
    try {
      ports(values);
    } catch (NetException e) {
      String message = e.getMessage();
      return Optional.of(new ActionMistake(PORTS, message.substring(message.indexOf(' ') + 1)));
    }
    try {
      address(values);
    } catch (IllegalArgumentException e) {
      return Optional.of(new ActionMistake(ADDRESS, e.getMessage() + ", nor 'any'"));
    }
    return Optional.empty();
  }

  private static FrameMatch ports(ActionValues values) {
    List<Integer> ports = new ArrayList<>();
    for (String port : values.text(PORTS).strip().split("[ ,]+", -1)) {
      // more digits are out of range as well
      ports.add(port.matches("[0-9]{1,6}") ? Integer.parseInt(port) : -1);
    }
    return new FrameMatch(ports, OptionalInt.empty(), false);
  }

  private static OptionalInt address(ActionValues values) {
    String address = values.text(ADDRESS);
    return address.equals("any") ? OptionalInt.empty() : OptionalInt.of(Ipv4.parse(address));
  }

  @Override
  public Set<String> measures() {
    Set<String> measures = new LinkedHashSet<>(List.of(FRAMES, DROPPED));
    measures.addAll(OUTCOMES);
    return measures;
  }

  @Override
  public void run(ActionStep step) throws IOException, InterruptedException {
    Tiles offered = tiles;
    if (offered == null) {
      throw JobException.failed(Errno.ENOENT, "no bundle offers tiles; see bundle:list", null);
    }
    ActionValues values = step.values();
    FrameMatch match = new FrameMatch(ports(values).ports(), address(values), false);
    boolean checksums = values.text(CHECKSUM).equals("drop");
    Map<String, Long> counts = new LinkedHashMap<>();
    OUTCOMES.forEach(outcome -> counts.put(outcome, 0L));
    try (FrameTrial trial = new FrameTrial(offered, match, checksums);
        CaptureReader file =
            CaptureReader.open(step.read(FILE), values.path(FILE).getFileName().toString());
        PrintStream table = table(step)) {
      table.println("frame,bytes,outcome");
      while (file.next()) {
        String outcome = outcome(trial, file);
        counts.merge(outcome, 1L, Long::sum);
        table.println(file.number() + "," + file.wireLength() + "," + outcome);
        step.done(file.length(), 1);
        if (Thread.interrupted()) {
          throw new InterruptedException("cancelled");
        }
      }
      if (table.checkError()) {
        throw new IOException("the table cannot be written");
      }
    }
    report(step, counts);
  }

  private static PrintStream table(ActionStep step) throws InterruptedException {
    OutputStream out =
        step.values().has(TABLE) && !step.values().text(TABLE).isEmpty()
            ? step.write(TABLE)
            : OutputStream.nullOutputStream();
    return new PrintStream(
        new BufferedOutputStream(out, 1 << 16), false, StandardCharsets.US_ASCII);
  }

  private static String outcome(FrameTrial trial, CaptureReader file) {
    if (file.linkType() != LinkType.ETHERNET) {
      return OTHER_LINK;
    }
    if (file.wireLength() > file.length()) {
      return CUT;
    }
    return file.length() > FrameTrial.MOST_BYTES
        ? TOO_LONG
        : trial.outcome(file.memory(), file.length());
  }

  private static void report(ActionStep step, Map<String, Long> counts) {
    long frames = 0;
    long dropped = 0;
    for (Map.Entry<String, Long> count : counts.entrySet()) {
      frames += count.getValue();
      step.measure(count.getKey(), count.getValue());
      if (count.getValue() > 0) {
        step.print("%-16s %10d".formatted(count.getKey(), count.getValue()));
      }
    }
    for (RxDrop reason : RxDrop.values()) {
      dropped += counts.get(reason.text());
    }
    step.measure(FRAMES, frames);
    step.measure(DROPPED, dropped);
    step.print("%-16s %10d".formatted(FRAMES, frames));
  }
}
