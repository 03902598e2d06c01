package io.isle.fabric.ring.isle;

import io.isle.api.fabric.BankPort;
import io.isle.lib.ffi.MemoryView;
import io.isle.lib.leap.isle.IsleFrame;
import java.lang.foreign.MemorySegment;

/**
 * The bank in which a tenant writes a packet. Frames of the link itself do not wait for the tenant:
 * the first of them takes the next bank, and the tenant's bank is lent, so that its packet has to
 * be copied to another one. One thread at a time, but for the writes of the tenant.
 */
final class BankClaim {
  /** Offset of a packet in its bank. */
  private static final long PAYLOAD = IsleFrame.HEADER_BYTES;

  private static final int PLACES = 64;

  private final int packetBytes;

  /** Places of banks and of their packets, by {@link #place}. */
  private final MemorySegment[] banks;

  private final MemorySegment[] packets;

  /** The port with the bank; null without a claim. */
  private BankPort port;

  /** Whether the bank is the next one to send. */
  private boolean next;

  BankClaim(int packetBytes) {
    this.packetBytes = packetBytes;
    banks = new MemorySegment[PLACES];
    packets = new MemorySegment[PLACES];
  }

  /** Claims the next bank; null without a free one. */
  MemorySegment begin(BankPort from) {
    if (port != null || from.claim() != 0) {
      return null;
    }
    port = from;
    next = true;
    return packet(from.bank());
  }

  /** A new user of a bank does not see what others have written there before. */
  private MemorySegment packet(MemorySegment bank) {
    int place = place(bank);
    if (banks[place] == null || !MemoryView.isSame(bank, banks[place])) {
      banks[place] = bank;
      packets[place] = bank.asSlice(PAYLOAD, packetBytes);
      packets[place].fill((byte) 0);
    }
    return packets[place];
  }

  /** Banks of a segment lie on end. */
  private static int place(MemorySegment bank) {
    return (int) (bank.address() / bank.byteSize()) & PLACES - 1;
  }

  /** Another frame goes first, or the path has ended: null. */
  void giveWay(BankPort to) {
    if (next) {
      next = false;
      if (to == null || to == port) {
        int ignored = port.lend();
      }
    }
  }

  /** Sends the frame whose packet lies in the bank; false if the bank is not the next one. */
  boolean publish(BankPort to, MemorySegment frame, int bytes) {
    if (!next || to != port) {
      return false;
    }
    MemorySegment.copy(frame, 0, port.bank(), 0, PAYLOAD);
    boolean sent = port.publish(bytes) == bytes;
    port = null;
    next = false;
    return sent;
  }

  /** Ends the claim. */
  void end() {
    if (port != null) {
      port.abandon();
      port.giveBack();
      port = null;
      next = false;
    }
  }

  /**
   * Ends the access to all banks so far.
   *
   * @param now the present port, or null
   */
  void revoke(BankPort now) {
    end();
    for (int i = 0; i < PLACES; i++) {
      banks[i] = null;
      packets[i] = null;
    }
    if (now != null) {
      now.revoke();
    }
  }
}
