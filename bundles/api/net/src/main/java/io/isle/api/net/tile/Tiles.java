package io.isle.api.net.tile;

import org.osgi.annotation.versioning.ProviderType;

/** Makes tiles. A service; thread-safe. */
@ProviderType
public interface Tiles {
  /**
   * Opens a tile. First the tile reads rings, ledger and positions, finishes or takes back the one
   * frame that another tile on the same memory may have left halfway, frees the frames of links
   * that are no longer named, gives frames to the lines of new links, and fills FILL. An open that
   * ends halfway may be repeated.
   *
   * <p>The last tile on this memory must have ended: two at once break the memory.
   *
   * @throws io.isle.api.net.NetException EINVAL for memory that does not fit its description,
   *     ENOMEM with the arithmetic when there are fewer frames than rings and links need, EIO when
   *     rings and ledger contradict each other
   */
  Tile open(TileMemory memory, TileCalls calls);
}
