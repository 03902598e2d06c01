package io.isle.net.tile;

import io.isle.lib.packet.Drop;
import io.isle.lib.packet.Ipv4;
import io.isle.lib.packet.NetSig;
import io.isle.lib.packet.Udp;
import io.isle.lib.packet.UdpFrame;
import io.isle.lib.tile.AppTable;
import io.isle.lib.tile.Ledger;
import io.isle.lib.tile.RawMemory;
import io.isle.lib.tile.RxDrop;
import io.isle.lib.tile.Tap;

/**
 * Moves received frames to the links of apps, or back to FILL. The order of the stores for one
 * frame is the contract with {@link Repair}.
 */
final class RxPath {
  private static final RxDrop[] DROPS = RxDrop.values();

  /** Frames whose headers are fetched together: processors overlap about as many cache misses. */
  private static final int FETCHED = 16;

  private final long umem;
  private final Frames frames;
  private final Ledger ledger;
  private final AppTable apps;
  private final RxLinks links;
  private final boolean checksums;
  private final Tap tap;
  private final int[] reasons = reasons();
  private final long[] heads = new long[FETCHED];

  RxPath(TileParts parts, AppTable apps, boolean checksums) {
    this.umem = RawMemory.address(parts.memory().umem(), 64);
    this.frames = parts.frames();
    this.ledger = parts.ledger();
    this.links = parts.rxLinks();
    this.apps = apps;
    this.checksums = checksums;
    this.tap = parts.tap();
  }

  /** The counter of each reason of the parser. */
  private static int[] reasons() {
    int[] reasons = new int[Drop.values().length];
    for (Drop drop : Drop.values()) {
      reasons[drop.ordinal()] =
          drop == Drop.NONE ? RxDrop.NO_APP.ordinal() : RxDrop.valueOf(drop.name()).ordinal();
    }
    return reasons;
  }

  /**
   * Receives frames of a port.
   *
   * @return number of frames
   */
  int receive(Port port, int limit, int time) {
    int count = Math.min(port.rx.available(limit), limit);
    if (count == 0) {
      return 0;
    }
    long bank = apps.bank();
    for (int i = 0; i < count; i++) {
      int fetched = i % FETCHED;
      if (fetched == 0) {
        fetch(port, i, Math.min(FETCHED, count - i));
      }
      receive(port, port.rx.address(i), port.rx.length(i), heads[fetched], bank, time);
      port.advance();
    }
    port.rx.release(count);
    port.publishFill();
    return count;
  }

  /** Reads the heads of frames, one by one the most costly part of the work on a frame. */
  private void fetch(Port port, int from, int count) {
    for (int i = 0; i < count; i++) {
      long address = port.rx.address(from + i);
      boolean within = frames.at(address, UdpFrame.MIN_BYTES) >= 0;
      heads[i] = within ? QuickFrame.head(umem + address) : 0;
    }
  }

  private void receive(Port port, long address, int length, long head, long bank, int time) {
    int frame = frames.at(address, length);
    if (frame < 0 || ledger.state(frame) != Ledger.FILL) {
      port.countDropped(RxDrop.INVALID.ordinal());
      return;
    }
    ledger.state(frame, Ledger.RX);
    long at = umem + address;
    boolean plain = !checksums && QuickFrame.isPlain(head, at, length);
    Drop drop = plain ? Drop.NONE : UdpFrame.check(RawMemory.ALL, at, length, checksums);
    if (drop == Drop.NONE) {
      long udp = plain ? at + QuickFrame.UDP : UdpFrame.udp(RawMemory.ALL, at);
      int app = apps.app(bank, Udp.destinationPort(RawMemory.ALL, udp));
      int source = Ipv4.source(RawMemory.ALL, UdpFrame.ip(at));
      int from = Udp.sourcePort(RawMemory.ALL, udp);
      int headers = (int) (udp - at) + Udp.HEADER_BYTES;
      long signature = NetSig.of(source, source, from, app, headers);
      RxLink link = links.of(app, NetSig.hash(signature));
      if (link != null) {
        pass(port, link, frame, signature, address, length, time);
        if (tap != null) {
          tap.received(time, RawMemory.ALL, at, length, null);
        }
        return;
      }
    }
    port.stageFill(frames.address(frame));
    ledger.state(frame, Ledger.FILL);
    int reason = reasons[drop.ordinal()];
    port.countDropped(reason);
    if (drop == Drop.CHECKSUM
        && Udp.isUnfinished(RawMemory.ALL, UdpFrame.ip(at), UdpFrame.udp(RawMemory.ALL, at))) {
      port.countUnfinished();
    }
    if (tap != null) {
      // the kernel has FILL at the end of the batch
      tap.received(time, RawMemory.ALL, at, length, DROPS[reason]);
    }
  }

  private void pass(
      Port port, RxLink link, int frame, long signature, long address, int length, int time) {
    int displaced = frames.at(link.displaced());
    port.stageFill(frames.address(displaced));
    ledger.state(displaced, Ledger.FILL);
    link.publish(signature, address, length, time);
    ledger.state(frame, Ledger.LINK);
    port.countPassed();
  }
}
