package io.isle.core.accel.context;

import io.isle.api.driver.ProgramSources;
import io.isle.core.accel.device.ProgramCode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/** 16 bits of the SHA-256 of a program and each of its entries: the same on each platform. */
final class EntryHashes {
  private EntryHashes() {}

  /** By number of the entry. */
  static int[] of(ProgramCode code, EntryTable table) {
    int[] hashes = new int[table.size()];
    for (int entry = 0; entry < hashes.length; entry++) {
      MessageDigest sha = sha256();
      add(sha, code.kind().name());
      add(sha, code.options());
      add(sha, code.bytes());
      add(sha, code.files());
      add(sha, code.headers());
      add(sha, table.name(entry));
      byte[] hash = sha.digest();
      hashes[entry] = hash[0] & 0xff | (hash[1] & 0xff) << Byte.SIZE;
    }
    return hashes;
  }

  private static void add(MessageDigest sha, List<ProgramSources.File> files) {
    for (ProgramSources.File file : files) {
      add(sha, file.name());
      add(sha, file.text());
    }
  }

  private static void add(MessageDigest sha, String text) {
    add(sha, text.getBytes(StandardCharsets.UTF_8));
  }

  /** With its length, so that parts do not run into each other. */
  private static void add(MessageDigest sha, byte[] bytes) {
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      sha.update((byte) (bytes.length >>> shift));
    }
    sha.update(bytes);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
