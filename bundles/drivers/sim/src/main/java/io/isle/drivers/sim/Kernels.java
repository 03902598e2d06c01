package io.isle.drivers.sim;

import static io.isle.lib.kabi.CommandEnvelope.U64;

import io.isle.api.base.Errno;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** What the built-in programs do. Each looks now and then whether it must stop. */
final class Kernels {
  /** Bytes between two looks. */
  private static final long SLICE = 1 << 16;

  /** Two patterns of a fill, wherever its memory begins. */
  private static final ValueLayout.OfLong FILLED =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final int DIGEST = 32;
  private static final long MAX_BUSY_US = 3_600_000_000L;

  private Kernels() {}

  static int fill(Run run, MemorySegment dst, int pattern) {
    long size = dst.byteSize();
    long twice = (pattern & 0xffff_ffffL) * 0x1_0000_0001L;
    for (long from = 0; from < size; from += SLICE) {
      int code = run.stopped();
      if (code != 0) {
        return code;
      }
      long end = Math.min(size, from + SLICE);
      long at = from;
      for (; at <= end - Long.BYTES; at += Long.BYTES) {
        dst.set(FILLED, at, twice);
      }
      for (; at < end; at++) {
        dst.set(ValueLayout.JAVA_BYTE, at, (byte) (pattern >>> (8 * (int) (at & 3))));
      }
    }
    run.bytesWritten += size;
    return 0;
  }

  /** The ranges may overlap: then the bytes are as if copied through a third place. */
  static int copy(Run run, MemorySegment src, MemorySegment dst) {
    dst.copyFrom(src);
    run.bytesRead += src.byteSize();
    run.bytesWritten += src.byteSize();
    return 0;
  }

  static int sha256(Run run, MemorySegment src, MemorySegment dst, long block) {
    long size = src.byteSize();
    long count = block <= 0 ? 0 : size / block + (size % block == 0 ? 0 : 1);
    if (block <= 0 || count > dst.byteSize() / DIGEST) {
      return -Errno.EINVAL;
    }
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] out = new byte[DIGEST];
      for (long i = 0; i < count; i++) {
        long from = i * block;
        int code = digest(run, digest, src.asSlice(from, Math.min(block, size - from)), out);
        if (code != 0) {
          return code;
        }
        MemorySegment.copy(out, 0, dst, ValueLayout.JAVA_BYTE, i * DIGEST, DIGEST);
      }
    } catch (NoSuchAlgorithmException | DigestException e) {
      return -Errno.ENOTSUP;
    }
    run.bytesRead += size;
    run.bytesWritten += count * DIGEST;
    return 0;
  }

  private static int digest(Run run, MessageDigest digest, MemorySegment bytes, byte[] out)
      throws DigestException {
    for (long at = 0; at < bytes.byteSize(); at += SLICE) {
      int code = run.stopped();
      if (code != 0) {
        return code;
      }
      digest.update(bytes.asSlice(at, Math.min(SLICE, bytes.byteSize() - at)).asByteBuffer());
    }
    digest.digest(out, 0, out.length);
    return 0;
  }

  static int histogram(Run run, MemorySegment src, MemorySegment dst) {
    if (dst.byteSize() < 256 * 8 || (dst.address() & 7) != 0) {
      return -Errno.EINVAL;
    }
    long[] counts = new long[256];
    for (long at = 0; at < src.byteSize(); at++) {
      if ((at & (SLICE - 1)) == 0 && run.stopped() != 0) {
        return run.stopped();
      }
      counts[src.get(ValueLayout.JAVA_BYTE, at) & 0xff]++;
    }
    for (int i = 0; i < counts.length; i++) {
      dst.set(U64, 8L * i, counts[i]);
    }
    run.bytesRead += src.byteSize();
    run.bytesWritten += 256 * 8;
    return 0;
  }

  static int busy(Run run, long us) {
    return us < 0 || us > MAX_BUSY_US ? -Errno.EINVAL : run.pass(us * 1000);
  }
}
