package io.isle.benchmarks.ring;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Packets between two processes by the transports of rings, against the same bytes without. */
public final class RingBench {
  static final String NAME = "ring";

  /** Bytes of a packet with 4096 numbers. */
  private static final int PACKET = 8 + 4 * 4096;

  /** Of its frame, whose header has 32 bytes. */
  private static final int FRAME = 32 + PACKET;

  /** Of the frame's 12 datagrams, whose headers have 12 bytes. */
  private static final int DATAGRAMS = FRAME + 12 * 12;

  private static final String IDLE = "idle-cpu";

  /** The begin of this row, which takes its time. */
  private static final String BEGIN = "idle-cpu begins";

  private static final RingKind TCP_RATE = RingKind.leap("tcp", PeerCase.RATE_BYTES);
  private static final RingKind UDP_RATE = RingKind.isle("udp", PeerCase.RATE_BYTES);

  private final Settings settings;
  private final PrintStream progress;
  private final Map<String, Cases> all = new LinkedHashMap<>();

  public RingBench(Settings settings, PrintStream progress) {
    this.settings = settings;
    this.progress = progress;
  }

  /**
   * Runs all cases, or those that the property {@code isle.bench.cases} names, separated by commas.
   */
  public List<Row> run() throws Exception {
    try (RingPairs rings = new RingPairs(settings);
        IdleCase idle = new IdleCase(settings, progress)) {
      near(rings);
      all.put(BEGIN, idle.begin());
      far(rings);
      alone(rings);
      all.put(IDLE, idle);
      all.put("restart-gap", GapCase.restart(settings));
      all.put("switch-gap", GapCase.move(settings));
      String wanted = System.getProperty("isle.bench.cases", "");
      if (!wanted.isEmpty()) {
        List<String> names = new ArrayList<>(List.of(wanted.split(",", -1)));
        if (names.contains(IDLE)) {
          names.add(BEGIN);
        }
        all.keySet().retainAll(names);
      }
      return Cases.runAll(NAME, List.copyOf(all.values()), settings, progress);
    }
  }

  /** Rows that nothing may disturb. */
  private void near(RingPairs rings) {
    Peer tcp = new CPeer("tcp", 1, "C, spinning, the same two connections");
    rtt(rings, RingKind.leap("tcp", 1), Goal.of("tcp-rtt-1", 0.95), tcp);
    Peer large = new CPeer("tcp", PACKET, "C, spinning, the same two connections");
    rtt(rings, RingKind.leap("tcp", PACKET), Goal.of("tcp-rtt-16392", 0.95), large);
    Peer udp = new CPeer("udp", 1, "C, spinning, two sockets");
    rtt(rings, RingKind.leap("udp", 1), Goal.of("udp-rtt-1", 0.93), udp);
    Peer frames = new CPeer("tcp", FRAME, "C, spinning, the same bytes");
    rtt(rings, RingKind.isle("tcp", PACKET).passed(), Goal.of("hop-tcp", 0.8), frames);
    Peer chunks = new CPeer("udp", DATAGRAMS, "C, spinning, the same bytes, GSO and GRO");
    rtt(rings, RingKind.isle("udp", PACKET).passed(), Goal.of("hop-udp", 0.8), chunks);
    rate(
        rings,
        TCP_RATE,
        Goal.of("tcp-throughput", 0.95),
        new Iperf3Peer(
            "iperf3, the better of plain and -l 1M; bytes",
            List.of(List.of(), List.of("-l", "1M"))));
    Peer c =
        new CPeer("goodput", PeerCase.RATE_BYTES, "C, GSO and GRO, same chunks, CRC, acks; bytes");
    rate(rings, UDP_RATE, Goal.of("udp-goodput", 0.9), PeerCase.rate(c));
    Peer banks = new CPeer("banks", 64, "C, spinning, same banks, CRC, copies, acks");
    rtt(rings, RingKind.isle("shm", 64), Goal.of("shm-rtt-64-c", 0.5), banks);
    rtt(rings, RingKind.isle("shm", 64), Goal.of("shm-rtt-64", 1.25), new UcxPeer(64));
    Goal whole = Goal.of("shm-rtt-16392", 1.2);
    rtt(rings, RingKind.isle("shm", PACKET), whole, new UcxPeer(PACKET));
  }

  /** Rows beside which a ring may idle: without a goal, or far from it. */
  private void far(RingPairs rings) {
    rtt(rings, RingKind.isle("udp", 1), Goal.far("udp-rtt-1-aeron", 2.0), new AeronPeer(1));
    for (String transport : List.of("tcp", "udp")) {
      Goal goal = Goal.reported(transport + "-rtt-sockperf");
      Peer sockperf = new SockperfPeer(transport.equals("tcp"), 64);
      rtt(rings, RingKind.leap(transport, 64), goal, sockperf);
    }
    rate(
        rings,
        TCP_RATE,
        Goal.reported("tcp-throughput-z"),
        new Iperf3Peer("iperf3 -Z; bytes", List.of(List.of("-Z"))));
    rate(
        rings,
        UDP_RATE,
        Goal.far("udp-goodput-iperf3", 8.0),
        new Iperf3Peer(
            "iperf3 -u -l 1400 -b 0; bytes", List.of(List.of("-u", "-l", "1400", "-b", "0"))));
    Peer same = new CPeer("banks", PACKET, "C, spinning, same banks, CRC, copies, acks");
    rtt(rings, RingKind.isle("shm", PACKET).passed(), Goal.reported("hop-shm"), same);
  }

  private void rtt(RingPairs rings, RingKind kind, Goal goal, Peer peer) {
    all.put(
        goal.row(), new PeerCase(settings, rings, PeerCase.Figure.ROUND_TRIP, kind, goal, peer));
  }

  private void rate(RingPairs rings, RingKind kind, Goal goal, Peer peer) {
    all.put(goal.row(), new PeerCase(settings, rings, PeerCase.Figure.RATE, kind, goal, peer));
  }

  /** Rows without a peer. */
  private void alone(RingPairs rings) {
    for (String transport : List.of("shm", "tcp", "udp")) {
      all.put("alloc-" + transport, new AllocationCase(settings, rings, transport));
    }
    all.put("detect-kill", new DetectCase(settings, rings, true));
    all.put("detect-silent", new DetectCase(settings, rings, false));
  }
}
