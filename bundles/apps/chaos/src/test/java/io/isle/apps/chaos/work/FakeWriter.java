package io.isle.apps.chaos.work;

import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Program;
import io.isle.api.accel.Timeline;
import io.isle.apps.chaos.platform.Partial;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;

/** Remembers the one submission that is written, and does it. */
final class FakeWriter {
  private record Use(FakeBuffer buffer, int offset, int length) {}

  private final CommandWriter handle = Partial.of(CommandWriter.class, this);
  private final List<Use> uses = new ArrayList<>();
  private final List<Integer> arguments = new ArrayList<>();
  private FakeContext context;
  private String program;
  private Runnable work;

  CommandWriter begin(FakeContext of) {
    context = of;
    uses.clear();
    work = () -> {};
    return handle;
  }

  void run() {
    work.run();
  }

  /** Another result than computed. */
  void spoil() {
    uses.get(1).buffer().bytes[0] ^= 1;
  }

  CommandWriter after(Timeline timeline, long point) {
    return handle;
  }

  int use(Buffer buffer, long offset, long length, int access) {
    uses.add(new Use(context.find(buffer), (int) offset, (int) length));
    return uses.size() - 1;
  }

  CommandWriter replayable() {
    return handle;
  }

  CommandWriter copy(int dst, long dstOffset, int src, long srcOffset, long bytes) {
    Use from = uses.get(src);
    Use to = uses.get(dst);
    work =
        () ->
            System.arraycopy(
                from.buffer().bytes, from.offset(), to.buffer().bytes, to.offset(), (int) bytes);
    return handle;
  }

  CommandWriter fill(int dst, long offset, long bytes, int pattern) {
    ByteBuffer to = ByteBuffer.wrap(uses.get(dst).buffer().bytes).order(ByteOrder.LITTLE_ENDIAN);
    work =
        () -> {
          for (int at = 0; at < bytes; at += Integer.BYTES) {
            to.putInt((int) offset + at, pattern);
          }
        };
    return handle;
  }

  CommandWriter dispatch(Program loaded, int entry, int x, int y, int z) {
    program = loaded.toString();
    arguments.clear();
    return handle;
  }

  CommandWriter arg(int use) {
    arguments.add(use);
    return handle;
  }

  CommandWriter argU64(long value) {
    if (program.equals("sha256")) {
      Use from = uses.get(arguments.get(0));
      Use to = uses.get(arguments.get(1));
      work = () -> digest(from, to, (int) value);
    }
    return handle;
  }

  private static void digest(Use from, Use to, int block) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      for (int at = 0; at < from.length(); at += block) {
        sha.update(from.buffer().bytes, from.offset() + at, block);
        byte[] digest = sha.digest();
        System.arraycopy(digest, 0, to.buffer().bytes, at / block * digest.length, digest.length);
      }
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
