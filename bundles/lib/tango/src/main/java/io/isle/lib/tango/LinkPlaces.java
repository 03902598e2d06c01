package io.isle.lib.tango;

/**
 * Where the parts of a link are in a file: offsets in bytes.
 *
 * @param mcache a multiple of 128
 * @param dcache a multiple of 4096; null: at the next multiple behind the mcache
 * @param fseqs a multiple of 128, the first of fseqs that follow each other; null: behind the
 *     dcache
 * @param chunkBase offset of chunk 0, a multiple of 128
 */
public record LinkPlaces(long mcache, Long dcache, Long fseqs, long chunkBase) {
  /** Where {@link LinkFile#create} puts the parts unless it is told otherwise. */
  public static final LinkPlaces USUAL = new LinkPlaces(0, null, null, 0);

  /**
   * @throws IllegalArgumentException naming the offset and the limit
   */
  public LinkPlaces {
    require("offset of the mcache", mcache, Mcache.ALIGN);
    if (dcache != null) {
      require("offset of the dcache", dcache, Dcache.ALIGN);
    }
    if (fseqs != null) {
      require("offset of the fseqs", fseqs, Fseq.BYTES);
    }
    require("base of chunks", chunkBase, 2 * Chunks.BYTES);
  }

  private static void require(String name, long offset, int align) {
    if (offset < 0 || offset > LinkFile.MOST_BYTES || offset % align != 0) {
      throw new IllegalArgumentException(
          name + " " + offset + " is not a multiple of " + align + " in 0.." + LinkFile.MOST_BYTES);
    }
  }

  /** Whether the parts are where {@link #USUAL} has them, so that fseqs end the file. */
  boolean isUsual() {
    return mcache == 0 && dcache == null && fseqs == null;
  }

  long dcacheBehind(long mcacheBytes) {
    return dcache != null ? dcache : TangoLayout.aligned(mcache + mcacheBytes, Dcache.ALIGN);
  }

  long fseqsBehind(long dcacheEnd) {
    return fseqs != null ? fseqs : dcacheEnd;
  }

  /**
   * Checks that two parts share no byte.
   *
   * @throws IllegalArgumentException naming both places
   */
  static void apart(
      String one, long oneAt, long oneBytes, String other, long otherAt, long otherBytes) {
    if (oneAt < otherAt + otherBytes && otherAt < oneAt + oneBytes) {
      throw new IllegalArgumentException(
          "%s at %d..%d and %s at %d..%d overlap"
              .formatted(
                  one, oneAt, oneAt + oneBytes - 1, other, otherAt, otherAt + otherBytes - 1));
    }
  }
}
