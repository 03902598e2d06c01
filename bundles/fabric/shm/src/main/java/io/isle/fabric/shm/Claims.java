package io.isle.fabric.shm;

import static io.isle.api.base.Errno.EMSGSIZE;
import static io.isle.api.base.Errno.ENOTCONN;

import io.isle.lib.leap.banks.BankLayout;
import java.lang.foreign.MemorySegment;

/**
 * The claimed bank of a port, and the bank that is lent to a writer who needs longer than the next
 * frame. Banks of a path that has ended stay mapped until the end of the claim or the loan. One
 * thread at a time.
 */
final class Claims {
  /** The path of the claim, which may have ended; null without a claim. */
  private ShmPath claimed;

  private int bank;

  /** The path of the loan; null without a loan. */
  private ShmPath lent;

  private int lentBank;

  /**
   * As of a port.
   *
   * @param path the path that is up, or null
   */
  int claim(ShmPath path) {
    if (claimed != null && claimed == path && !path.ended()) {
      return 0;
    }
    abandon(path);
    if (path == null) {
      return -ENOTCONN;
    }
    int code = path.claim();
    while (code == 0 && isTaken(path)) {
      code = path.publish(0);
      code = code == 0 ? path.claim() : code;
    }
    if (code == 0) {
      claimed = path;
      bank = path.bank();
    }
    return code;
  }

  /** Whether the next frame's bank is one that its writer needs longer than this frame. */
  private boolean isTaken(ShmPath path) {
    return lent == path && path.bank() == lentBank || path.isSpared();
  }

  /** Index of the bank of the path that a writer has, or {@link ShmPath#NONE}. */
  int held(ShmPath path) {
    return claimed == path ? bank : lent == path ? lentBank : ShmPath.NONE;
  }

  MemorySegment memory() {
    if (claimed == null) {
      throw new IllegalStateException("no bank is claimed");
    }
    return claimed.memory(bank);
  }

  int publish(ShmPath path, int length) {
    if (claimed == null) {
      return -ENOTCONN;
    }
    if (length < 0 || length > BankLayout.BANK_BYTES) {
      return -EMSGSIZE;
    }
    int code = claimed == path ? path.publish(length) : -ENOTCONN;
    abandon(path);
    if (code > 0 && !isTaken(path)) {
      path.prepare(length);
    }
    return code;
  }

  int lend(ShmPath path) {
    if (claimed == null) {
      return -ENOTCONN;
    }
    giveBack(path);
    int code = claimed == path ? path.publish(0) : -ENOTCONN;
    lent = claimed;
    lentBank = bank;
    claimed = null;
    return code;
  }

  void abandon(ShmPath path) {
    ShmPath before = claimed;
    claimed = null;
    unmap(before, path);
  }

  void giveBack(ShmPath path) {
    ShmPath before = lent;
    lent = null;
    unmap(before, path);
  }

  private void unmap(ShmPath before, ShmPath path) {
    if (before != null && before != path && !uses(before)) {
      before.unmapBanks();
    }
  }

  /** Whether a bank of the path is claimed or lent. */
  boolean uses(ShmPath path) {
    return claimed == path || lent == path;
  }

  /** Ends claim and loan, and the access of all who have had one. */
  void revoke(ShmPath path) {
    abandon(path);
    giveBack(path);
    if (path != null) {
      path.revoke();
    }
  }
}
