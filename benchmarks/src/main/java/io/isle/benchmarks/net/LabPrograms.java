package io.isle.benchmarks.net;

import io.isle.api.net.LabSide;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.util.List;

/**
 * Programs of {@code bench-xsk} in a lab. Who sends to the tile and to its peer is in side a, on
 * the second processor; the peer is in side b, on the first one, as the tile.
 *
 * @param a side of senders
 * @param b side of receivers
 */
record LabPrograms(Settings settings, LabSide a, LabSide b) {
  /** Processor of tiles and of their peers. */
  static final int RECEIVER = 0;

  private static final int SENDER = 1;
  private static final String NOBODY = "00:00:00:00:00:00";

  /** Entries of rings. */
  static final int RING = 4096;

  private static final String RINGS = Integer.toString(RING);

  /** Of what {@code net:lab create --json} prints. */
  static LabPrograms of(Settings settings, String json) throws IOException {
    return new LabPrograms(settings, side(json, "a"), side(json, "b"));
  }

  private static LabSide side(String json, String name) throws IOException {
    int at = Math.max(0, json.indexOf("\"side\":\"" + name + "\""));
    return new LabSide(
        JsonText.text(json, "lab", 0),
        name,
        JsonText.text(json, "interface", at),
        JsonText.text(json, "address", at),
        0,
        JsonText.text(json, "mac", at),
        JsonText.text(json, "netns", at),
        1);
  }

  /** Sends numbered frames to side b. */
  XskProgram send(String row) throws IOException {
    return program(row, SENDER, List.of("send", a.netns(), a.interfaceName(), b.mac(), RINGS));
  }

  /** Round trips to side b and back. */
  XskProgram ping(String row, String mode) throws IOException {
    return program(
        row, SENDER, List.of("ping", a.netns(), a.interfaceName(), mode, b.mac(), RINGS));
  }

  /** Sends frames to side b at a rate, and keeps the longest time between two answers. */
  XskProgram gaps(String row, String mode) throws IOException {
    return program(
        row, SENDER, List.of("gaps", a.netns(), a.interfaceName(), mode, b.mac(), RINGS));
  }

  /** Counts frames. */
  XskProgram drop(String row, String mode) throws IOException {
    return program(row, RECEIVER, List.of("drop", b.netns(), b.interfaceName(), mode, RINGS));
  }

  /** Sends frames back. */
  XskProgram echo(String row, String mode) throws IOException {
    return program(row, RECEIVER, List.of("echo", b.netns(), b.interfaceName(), mode, RINGS));
  }

  /** Sends frames of pktgen to side a, and to the hardware address of nobody, as pktgen does. */
  XskProgram pktgen(String row, String mode) throws IOException {
    return program(
        row, RECEIVER, List.of("pktgen", b.netns(), b.interfaceName(), mode, NOBODY, RINGS));
  }

  /** Sends datagrams back by a socket of the kernel. */
  XskProgram udp(String row) throws IOException {
    return program(row, RECEIVER, List.of("udp", b.netns()));
  }

  private XskProgram program(String row, int cpu, List<String> arguments) throws IOException {
    return new XskProgram(settings, row, cpu, arguments);
  }
}
