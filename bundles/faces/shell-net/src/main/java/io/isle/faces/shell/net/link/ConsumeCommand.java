package io.isle.faces.shell.net.link;

import io.isle.faces.shell.Output;
import io.isle.faces.shell.Progress;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.lib.tango.Fseq;
import io.isle.lib.tango.LinkFile;
import io.isle.lib.tango.LinkReader;
import java.io.IOException;
import java.util.OptionalLong;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code net:link-consume}. */
@Service
@Command(
    scope = "net",
    name = "link-consume",
    description =
        "Takes fragments of a link in a file, compares them with their numbers, and counts those"
            + " that were overwritten before")
@RequiredRole(value = Role.ADMIN, reason = "Progress of a consumer is a part of the link's file.")
public final class ConsumeCommand extends LinkCommand {
  private static final String VERB = "taken";
  private static final String NOW = "now";
  private static final long MOST_DELAY_NS = 60_000_000_000L;

  @Option(name = "--count", description = "Number of fragments to take", required = true)
  long count;

  @Option(
      name = "--from",
      description =
          "now: those that are published from now on; or the number of the first one, -1 for the"
              + " largest. If left out: with --fseq, the first one that is not used up, else now")
  @Completion(FromCompleter.class)
  String from;

  @Option(
      name = "--fseq",
      description =
          "Number of an fseq, from 0: a reliable producer overwrites nothing that this consumer has"
              + " not used up")
  Integer fseq;

  @Option(
      name = "--delay-ns",
      description = "Nanoseconds of work on each fragment, 0 to 60000000000; 0 if left out")
  long delayNs;

  @Option(name = "--timeout", description = "Seconds after which the command ends with the counts")
  Double timeout;

  @Override
  protected void run(Output output) {
    range("--count", count, 1, Long.MAX_VALUE);
    range("--delay-ns", delayNs, 0, MOST_DELAY_NS);
    long timeoutNs = nanos("--timeout", timeout);
    OptionalLong first =
        from == null || from.equals(NOW)
            ? OptionalLong.empty()
            : OptionalLong.of(sequence("--from", from));
    with(
        fseq != null,
        link -> {
          Fseq progress = fseq == null ? null : progress(link);
          LinkReader reader = new LinkReader(link.mcache(), start(link, first, progress));
          try (Progress shown = new Progress(System.err, watched())) {
            // the payloads' sizes are the producer's; each is checked against the whole region
            ConsumeLoop loop =
                new ConsumeLoop(
                    reader,
                    link.chunks(1),
                    progress,
                    Pace.REAL,
                    count,
                    delayNs,
                    timeoutNs,
                    counts -> shown.show(() -> counts.get().line(VERB)));
            LinkResult result = loop.run();
            shown.hide();
            Finish.print(link, output, result, VERB);
          }
          return null;
        });
  }

  private Fseq progress(LinkFile link) throws IOException {
    Fseq found = link.fseq(fseq);
    link.lockConsumer(fseq);
    return found;
  }

  private long start(LinkFile link, OptionalLong first, Fseq progress) {
    long seq;
    if (first.isPresent()) {
      seq = first.getAsLong();
    } else if (from == null && progress != null) {
      seq = progress.seq();
    } else {
      seq = link.mcache().next();
    }
    if (progress != null) {
      progress.seq(seq);
    }
    return seq;
  }
}
