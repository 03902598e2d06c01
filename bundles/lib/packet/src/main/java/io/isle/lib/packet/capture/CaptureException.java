package io.isle.lib.packet.capture;

import java.io.IOException;

/**
 * A file that is no capture, or a broken one; the message names the file, the place and the limit.
 */
public final class CaptureException extends IOException {
  private static final long serialVersionUID = 1L;

  CaptureException(String message) {
    super(message);
  }
}
