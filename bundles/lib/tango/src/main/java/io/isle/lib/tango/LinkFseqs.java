package io.isle.lib.tango;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The fseqs in the file of a link, one behind the other. Immutable.
 *
 * @param memory of the file
 * @param offset of the first one
 * @param places where the parts of the file are expected
 */
record LinkFseqs(MemorySegment memory, long offset, LinkPlaces places) {
  /** Offset of an fseq in the file. */
  long offset(int index) {
    return offset + (long) index * Fseq.BYTES;
  }

  private MemorySegment at(int index) {
    return memory.asSlice(Math.min(offset(index), memory.byteSize()));
  }

  /** As {@link LinkFile#fseqs}. */
  List<Fseq> all() {
    return places.isUsual() ? upToTheEnd() : those();
  }

  private List<Fseq> upToTheEnd() {
    long behind = memory.byteSize() - offset;
    long count = behind / Fseq.BYTES;
    if (count > LinkPlan.MOST_FSEQS || behind % Fseq.BYTES != 0) {
      throw new IllegalArgumentException(
          "the "
              + behind
              + " bytes behind the dcache, from "
              + offset
              + ", are not 0.."
              + LinkPlan.MOST_FSEQS
              + " fseqs of "
              + Fseq.BYTES
              + " bytes");
    }
    List<Fseq> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(one(i));
    }
    return all;
  }

  /** Those that follow each other; the first one must be there, if its place is given. */
  private List<Fseq> those() {
    List<Fseq> all = new ArrayList<>();
    while (places.fseqs() != null
        && all.size() < LinkPlan.MOST_FSEQS
        && (all.isEmpty() || Fseq.isAt(at(all.size())))) {
      all.add(one(all.size()));
    }
    return all;
  }

  /** As {@link LinkFile#fseq}. */
  Fseq one(int index) {
    if (index < 0 || index >= LinkPlan.MOST_FSEQS) {
      throw new IllegalArgumentException(
          "fseq " + index + " is not in 0.." + (LinkPlan.MOST_FSEQS - 1));
    }
    try {
      return Fseq.open(at(index));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "fseq " + index + " at " + offset(index) + ": " + e.getMessage(), e);
    }
  }
}
