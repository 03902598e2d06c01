package io.isle.net.xdp.attach;

import java.util.List;

/**
 * What an app gets. Descriptors stay the owner's; the app gets copies. Immutable.
 *
 * @param app number of the app in its net, 0 to 7
 * @param instance of the app, from 0
 * @param mtu most bytes of a frame to send
 * @param address destination of frames for apps; 0 for any
 * @param ports 1 to 16 UDP ports
 * @param tx the app's own link
 * @param progress what tiles have taken from that link: an fseq for each tile, from the begin
 * @param tiles 1 to 16, by number
 */
public record Attachment(
    int app,
    int instance,
    int mtu,
    int address,
    List<Integer> ports,
    Tx tx,
    Lent progress,
    List<Rx> tiles) {
  /**
   * A file in memory that is passed on.
   *
   * @param descriptor for reading and writing, or for reading alone
   * @param bytes of the file, whose size is sealed
   */
  public record Lent(int descriptor, long bytes) {}

  /**
   * The link for frames to send, whose chunks count from the begin of its file.
   *
   * @param mcache offset in the file
   * @param dcache offset in the file
   */
  public record Tx(Lent file, long mcache, long dcache, int depth) {}

  /**
   * What a tile passes to the app.
   *
   * @param link file of the mcache, for reading alone
   * @param mcache offset in the file
   * @param seq number of the first frame for the app, unsigned
   * @param depth lines of the mcache
   * @param frames file of the UMEM, for reading alone
   * @param umem offset of the first frame in the file, from which chunks count
   * @param umemBytes bytes of all frames
   * @param frameBytes bytes of a frame
   * @param bell an eventfd of this attachment alone. The app may read it and change its flags, so
   *     who waits for it by an edge-triggered epoll, and never reads, is safe
   */
  public record Rx(
      Lent link,
      long mcache,
      long seq,
      int depth,
      Lent frames,
      long umem,
      long umemBytes,
      int frameBytes,
      int bell) {}

  /**
   * @throws IllegalArgumentException for more tiles or ports than a message has room for
   */
  public Attachment {
    ports = List.copyOf(ports);
    tiles = List.copyOf(tiles);
    if (tiles.isEmpty()
        || tiles.size() > AttachLayout.MOST_TILES
        || ports.size() > AttachLayout.MOST_PORTS) {
      throw new IllegalArgumentException(
          tiles.size() + " tiles and " + ports.size() + " ports are not in 1..16 and 0..16");
    }
  }
}
