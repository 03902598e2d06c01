package io.isle.lib.edid;

import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;

/** The bytes of a screen are no EDID (EPROTO). */
public final class EdidException extends IsleException {
  private static final long serialVersionUID = 1L;

  EdidException(String message) {
    super(Errno.EPROTO, message, null);
  }
}
