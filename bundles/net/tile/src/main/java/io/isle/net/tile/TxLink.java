package io.isle.net.tile;

import io.isle.api.net.tile.TxLinkMemory;
import io.isle.lib.packet.Ethernet;
import io.isle.lib.tango.Chunks;
import io.isle.lib.tango.Frag;
import io.isle.lib.tango.Fseq;
import io.isle.lib.tango.Lines;
import io.isle.lib.tango.Mcache;
import io.isle.lib.tile.RawMemory;
import io.isle.lib.tile.TileState;
import io.isle.lib.tile.TxDrop;
import java.lang.foreign.MemorySegment;

/**
 * A link from an app, which may write anything at any time. Sizes are the owner's; each value of
 * the app is copied once and checked.
 */
final class TxLink {
  /** Wrong chunks, sizes and sequence numbers after which a link is no longer looked at. */
  static final int MOST_BREACHES = 100;

  /** More frames than this ahead are no overrun but garbage. */
  private static final long MOST_AHEAD = 1L << 40;

  final int slot;

  /** Stays mapped while the link is in use. */
  final MemorySegment memory;

  private final long base;
  private final Lines lines;
  private final Frag frag = new Frag();
  private final Chunks chunks;
  private final Fseq progress;
  private final TileState state;
  private final long mask;
  private final int mtu;
  private final long passedAt;
  private final long nextAt;
  private long passed;
  private long next;
  private long told;
  private boolean cut;

  /**
   * A link that goes on where the state says.
   *
   * @param chunks the data region, which lies in the memory of the link, as its lines do
   * @param whole whether the head of the mcache is; else the link is cut
   */
  TxLink(TxLinkMemory link, TileState state, Chunks chunks, Fseq progress, boolean whole) {
    this.slot = link.slot();
    this.memory = link.memory();
    this.base = RawMemory.address(memory, Mcache.ALIGN);
    this.lines = Lines.of(memory.asSlice(link.mcache()), link.depth());
    this.mtu = link.mtu();
    this.mask = link.depth() - 1L;
    this.chunks = chunks;
    this.progress = progress;
    this.state = state;
    passedAt = at(TileState.TX_PASSED);
    nextAt = at(TileState.NEXT);
    passed = state.get(passedAt);
    next = state.get(nextAt);
    told = next;
    if (!whole) {
      state.set(at(TileState.BREACHES), MOST_BREACHES);
    }
    cut = state.get(at(TileState.BREACHES)) >= MOST_BREACHES;
    progress.seq(next);
  }

  private long at(int word) {
    return TileState.link(slot, word);
  }

  boolean isCut() {
    return cut;
  }

  /**
   * Copies the next line, or goes past lines that were overwritten.
   *
   * @return whether a frame is there
   */
  boolean read() {
    long ahead = lines.read(next, frag);
    if (ahead <= 0) {
      return ahead == 0;
    }
    long beside = ahead & mask;
    if (ahead > MOST_AHEAD || beside != 0 && beside != mask) {
      breach();
      return false;
    }
    // a line that is being written has the number before its own
    finish(TileState.TX_DROPS + TxDrop.OVERRUN.ordinal(), beside == 0 ? ahead : ahead + 1);
    return false;
  }

  /** Signature of the frame, as the app wrote it. */
  long signature() {
    return frag.sig();
  }

  /** Bytes of the frame, 0 to 65535. */
  int size() {
    return frag.size();
  }

  /** Address in memory of the frame, which is within the link. */
  long address() {
    return base + Chunks.offset(frag.chunk());
  }

  /** Whether place and size of the frame are within the link; a frame that is not is a breach. */
  boolean isWithin() {
    if (hasFrame()) {
      return true;
    }
    breach();
    return false;
  }

  /** Whether place and size of the frame are within the link. */
  boolean hasFrame() {
    int size = size();
    return size >= Ethernet.HEADER_BYTES
        && size <= mtu
        && chunks.containsBytes(address() - base, size);
  }

  /** Whether the app has left the frame alone until now. */
  boolean isWhole() {
    return lines.overrun(next) == 0;
  }

  /** Counts the frame as dropped. */
  void drop(TxDrop reason) {
    finish(TileState.TX_DROPS + reason.ordinal(), 1);
  }

  /** Counts the frame as another tile's. */
  void skip() {
    finish(TileState.TX_SKIPPED, 1);
  }

  /** Counts the frame as sent; {@link #advance} follows behind the ledger. */
  void pass() {
    state.set(passedAt, ++passed);
  }

  /** Goes on to the next frame. */
  void advance() {
    state.set(nextAt, ++next);
  }

  private void finish(int word, long count) {
    state.add(at(word), count);
    next += count;
    state.set(nextAt, next);
  }

  private void breach() {
    state.add(at(TileState.BREACHES), 1);
    cut = state.get(at(TileState.BREACHES)) >= MOST_BREACHES;
  }

  /** Gives credits back to the app. */
  void settle() {
    if (told != next) {
      told = next;
      progress.seq(next);
    }
  }
}
