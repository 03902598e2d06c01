package io.isle.net.xdp.netlink;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import io.isle.api.base.ForeignText;
import io.isle.api.net.NetException;
import io.isle.lib.ffi.SocketErrors;

/** What the kernel says to a request at its end. */
final class Answer {
  /** In an answer of type ERROR: the code, then the header of the request. */
  private static final int ERROR_BYTES = 20;

  private static final int CODE_BYTES = 4;
  private static final int ERROR_TEXT = 1;

  /** Codes of the kernel are smaller. */
  private static final int CODES = 4096;

  private Answer() {}

  /**
   * Reads a message of type ERROR or DONE.
   *
   * @param what was asked, for the user
   * @throws NetException with the kernel's code and its words, unless all is well; EPROTO for an
   *     answer that is none
   */
  static void check(Message message, String what) {
    boolean done = message.type() == Rtm.DONE;
    if (done && message.payload().byteSize() < CODE_BYTES) {
      return;
    }
    int code = message.structure(CODE_BYTES).get(JAVA_INT_UNALIGNED, 0);
    if (code == 0 || done && code > 0) {
      return;
    }
    if (code > 0 || code <= -CODES) {
      throw Message.broken(what + ": the answer has the code " + code);
    }
    String words = (message.flags() & Rtm.ACK_TLVS) == 0 ? "" : words(message, done);
    String reason = SocketErrors.text(code) + (words.isEmpty() ? "" : " (" + words + ")");
    throw new NetException(-code, what + ": " + reason);
  }

  private static String words(Message message, boolean done) {
    return ForeignText.line(message.attributes(done ? CODE_BYTES : ERROR_BYTES).text(ERROR_TEXT));
  }
}
