package io.isle.net.xdp.socket;

import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.ffi.SocketOption;
import io.isle.lib.ffi.SocketOptions;
import io.isle.net.xdp.socket.XskWish.Poll;
import java.util.ArrayList;
import java.util.List;

/** Settles how the kernel takes frames from the device, and says what is in force. */
final class XskPolling {
  private static final int BUSY_US = 64;
  private static final int BUDGET = 64;

  private XskPolling() {}

  static XskTruth settle(int descriptor, XskWish wish, boolean zeroCopy, long pinnedBytes) {
    List<String> notes = new ArrayList<>();
    if (wish.zeroCopy() && !zeroCopy) {
      notes.add("zero_copy: the driver of " + wish.interfaceName() + " cannot; the kernel copies");
    }
    Poll poll = wish.poll();
    if (poll == Poll.AUTO) {
      poll = zeroCopy ? Poll.PREFBUSY : Poll.SOFTIRQ;
    }
    if (poll == Poll.PREFBUSY) {
      int code = prefer(descriptor);
      if (code < 0) {
        notes.add("poll: prefbusy is refused: " + SocketErrors.text(code));
        poll = Poll.SOFTIRQ;
      }
    }
    return new XskTruth(zeroCopy, poll, pinnedBytes, List.copyOf(notes));
  }

  private static int prefer(int descriptor) {
    SocketOptions options = new SocketOptions();
    int code = options.set(descriptor, SocketOption.SO_PREFER_BUSY_POLL, 1);
    if (code == 0) {
      code = options.set(descriptor, SocketOption.SO_BUSY_POLL, BUSY_US);
    }
    return code == 0 ? options.set(descriptor, SocketOption.SO_BUSY_POLL_BUDGET, BUDGET) : code;
  }
}
