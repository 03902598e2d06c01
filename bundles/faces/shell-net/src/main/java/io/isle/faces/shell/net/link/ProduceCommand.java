package io.isle.faces.shell.net.link;

import io.isle.faces.shell.Output;
import io.isle.faces.shell.Progress;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.ShellException;
import io.isle.lib.tango.Chunks;
import io.isle.lib.tango.Fctl;
import io.isle.lib.tango.Fseq;
import io.isle.lib.tango.LinkFile;
import io.isle.lib.tango.LinkWriter;
import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code net:link-produce}. */
@Service
@Command(
    scope = "net",
    name = "link-produce",
    description =
        "Publishes numbered fragments on a link in a file, from where its last producer ended")
@RequiredRole(value = Role.ADMIN, reason = "A link is a file that the platform writes.")
public final class ProduceCommand extends LinkCommand {
  private static final String VERB = "published";
  private static final double MOST_RATE = 1e9;

  @Option(name = "--count", description = "Number of fragments", required = true)
  long count;

  @Option(
      name = "--size",
      description = "Bytes of a payload, 0 to the mtu of the link",
      required = true)
  int size;

  @Option(
      name = "--mtu",
      description =
          "Most bytes of a payload, as the link was made for; if left out, the largest that the"
              + " data have room for, which is the same for a burst of 1")
  Integer mtu;

  @Option(
      name = "--rate",
      description = "Fragments a second, up to 1000000000; as many as possible if left out")
  Double rate;

  @Option(
      name = "--reliable",
      description = "Overwrite no fragment that a consumer with an fseq has not used up")
  boolean reliable;

  @Option(name = "--timeout", description = "Seconds after which the command ends with the counts")
  Double timeout;

  @Override
  protected void run(Output output) {
    range("--count", count, 1, Long.MAX_VALUE);
    range("--size", size, 0, Chunks.MOST_MTU);
    if (mtu != null) {
      range("--mtu", mtu, 1, Chunks.MOST_MTU);
    }
    if (rate != null && !(rate > 0 && rate <= MOST_RATE)) {
      throw ShellException.usage("--rate " + rate + " is not in 0..1000000000");
    }
    long timeoutNs = nanos("--timeout", timeout);
    with(
        true,
        link -> {
          link.lockProducer();
          try (Progress progress = new Progress(System.err, watched())) {
            LinkWriter writer = new LinkWriter(link.mcache(), chunks(link));
            Fctl credits = reliable ? credits(link, writer.seq()) : null;
            double wanted = rate == null ? 0 : rate;
            ProduceLoop loop =
                new ProduceLoop(
                    writer,
                    credits,
                    Pace.REAL,
                    count,
                    size,
                    wanted,
                    timeoutNs,
                    counts -> progress.show(() -> counts.get().line(VERB)));
            LinkResult result = loop.run();
            progress.hide();
            Finish.print(link, output, result, VERB);
          }
          return null;
        });
  }

  private Chunks chunks(LinkFile link) {
    int most = mtu == null ? link.largestMtu() : mtu;
    if (most == 0) {
      throw new IllegalArgumentException(
          "data region of "
              + link.dcache().dataBytes()
              + " bytes is too small for any payload at depth "
              + link.mcache().depth());
    }
    range("--size", size, 0, most);
    return link.chunks(most);
  }

  /** All consumers of the file, each of which may be as far behind as there are lines. */
  private static Fctl credits(LinkFile link, long seq) {
    List<Fseq> fseqs = link.fseqs();
    if (fseqs.isEmpty()) {
      throw ShellException.usage(
          link.path()
              + " has no fseq for --reliable; net:link-create makes them by --fseqs, and"
              + " --fseq-offset names those at another place");
    }
    return new Fctl(
        fseqs.stream().map(fseq -> new Fctl.Consumer(fseq, link.mcache().depth())).toList(),
        Fctl.Limits.USUAL,
        seq);
  }
}
