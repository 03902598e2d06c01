package io.isle.faces.control;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Writes response frames; safe for two streams that write at once. */
final class FrameWriter {
  static final int OUT = 1;
  static final int ERR = 2;
  private static final int EXIT = 3;

  private final DataOutputStream out;

  FrameWriter(OutputStream out) {
    this.out = new DataOutputStream(out);
  }

  /** A stream whose every write becomes one frame of that kind; put a buffer before it. */
  OutputStream stream(int kind) {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        if (length > 0) {
          frame(kind, bytes, offset, length);
        }
      }
    };
  }

  /** The last frame. */
  void exit(int code) throws IOException {
    byte[] payload = {(byte) (code >> 24), (byte) (code >> 16), (byte) (code >> 8), (byte) code};
    frame(EXIT, payload, 0, payload.length);
  }

  private synchronized void frame(int kind, byte[] bytes, int offset, int length)
      throws IOException {
    byte[] frame = new byte[5 + length];
    frame[0] = (byte) kind;
    frame[1] = (byte) (length >> 24);
    frame[2] = (byte) (length >> 16);
    frame[3] = (byte) (length >> 8);
    frame[4] = (byte) length;
    System.arraycopy(bytes, offset, frame, 5, length);
    out.write(frame);
    out.flush();
  }
}
