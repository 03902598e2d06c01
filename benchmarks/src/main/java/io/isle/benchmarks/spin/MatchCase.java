package io.isle.benchmarks.spin;

import io.isle.api.spin.PacketMatcher;
import io.isle.api.spin.RulesetPreset;
import io.isle.api.spin.Rulesets;
import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Commands;
import io.isle.benchmarks.Folders;
import io.isle.benchmarks.JavaProcess;
import io.isle.benchmarks.PeerMissingException;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Rules of SLMP and the end of messages, against a filter of libpcap without the end. */
final class MatchCase implements Cases {
  private static final String ROW = "match";
  private static final String CPU = "1";
  private static final String FILTER =
      "ether[12:2] == 0x0800 and ether[23] == 17 and ether[36:2] == 9330";
  private static final int PACKETS = 5_000_000;
  private static final int WARM_UPS = 4;
  private static final double GOAL = 1;

  private final Settings settings;

  MatchCase(Settings settings) {
    this.settings = settings;
  }

  @Override
  public List<String> rows() {
    return List.of(ROW);
  }

  @Override
  public void checkPeers() throws IOException, InterruptedException {
    String missing = Commands.output(List.of(tool(), "missing")).strip();
    if (!missing.isEmpty()) {
      throw new PeerMissingException(missing);
    }
  }

  private String tool() {
    return settings.nativeDirectory().resolve("bench-match").toString();
  }

  @Override
  public List<Row> run() throws IOException, InterruptedException {
    String packets = Integer.toString(settings.size(PACKETS, 1000));
    double[] ours = new double[settings.size(SpinBench.PAIRS, 1)];
    double[] theirs = new double[ours.length];
    Path folder = settings.newFolder();
    try (JavaProcess process = new JavaProcess(settings, CPU, SpinProcess.class, List.of(), ROW)) {
      byte[][] all = SamplePackets.all();
      Path file = Files.write(folder.resolve("packets"), SamplePackets.file(all));
      if (!peer(file, "answers").equals(answers(all))) {
        throw new IOException("the filter of libpcap matches other packets");
      }
      for (int i = 0; i < settings.size(WARM_UPS, 1); i++) {
        double ignored = process.ask(packets);
      }
      for (int i = 0; i < ours.length; i++) {
        ours[i] = process.ask(packets);
        theirs[i] = Double.parseDouble(peer(file, packets));
      }
    } finally {
      Folders.delete(folder);
    }
    return List.of(
        Row.against(
            SpinBench.NAME,
            ROW,
            "ns",
            "lower",
            ours,
            theirs,
            "pcap_offline_filter of libpcap, looped in C (bench-match)",
            GOAL));
  }

  private String peer(Path file, String what) throws IOException, InterruptedException {
    return Commands.output(List.of("taskset", "-c", CPU, tool(), file.toString(), FILTER, what))
        .strip();
  }

  private static String answers(byte[][] packets) {
    PacketMatcher matcher = new PacketMatcher(new Rulesets(List.of(RulesetPreset.SLMP.ruleset())));
    StringBuilder text = new StringBuilder();
    for (byte[] packet : packets) {
      int match = matcher.match(MemorySegment.ofArray(packet), 0, packet.length);
      text.append(match == PacketMatcher.NONE ? '0' : '1');
    }
    return text.toString();
  }
}
