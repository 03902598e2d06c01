package io.isle.lib.leap.isle;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;

/** The payload of a frame violates the protocol: the message names the field and its limit. */
public final class FrameException extends IsleException {
  private static final long serialVersionUID = 1L;

  FrameException(String message) {
    super(Errno.EPROTO, message, null);
  }
}
