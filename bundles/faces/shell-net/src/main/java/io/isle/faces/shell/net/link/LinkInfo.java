package io.isle.faces.shell.net.link;

import io.isle.faces.shell.Output;
import io.isle.faces.shell.Sizes;
import io.isle.faces.shell.Table;
import io.isle.lib.tango.Chunks;
import io.isle.lib.tango.Fseq;
import io.isle.lib.tango.LinkFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is to be said of a link. Sequence numbers are unsigned.
 *
 * @param told seq[0]: all below is published, says the producer
 * @param nextSeq of the next fragment, as the lines say
 * @param mtu the largest that the data have room for; 0 for none
 */
record LinkInfo(
    String path,
    long bytes,
    int depth,
    int mtu,
    long seq0,
    long told,
    long nextSeq,
    long dataBytes,
    long chunk0,
    long chunk1,
    long wmark,
    long dcacheOffset,
    long fseqOffset,
    List<Progress> fseqs) {
  /**
   * A reliable consumer.
   *
   * @param behind fragments that it has not used up; negative if it claims more than is published
   */
  record Progress(int fseq, long seq0, long seq, long behind) {}

  /**
   * @throws IllegalArgumentException for parts that are none
   * @throws IllegalStateException for lines that no producer leaves
   */
  static LinkInfo of(LinkFile link) {
    long next = link.mcache().next();
    List<Progress> all = new ArrayList<>();
    for (Fseq fseq : link.fseqs()) {
      all.add(new Progress(all.size(), fseq.seq0(), fseq.seq(), next - fseq.seq()));
    }
    int mtu = link.largestMtu();
    Chunks chunks = mtu == 0 ? null : link.chunks(mtu);
    return new LinkInfo(
        link.path().toString(),
        link.bytes(),
        link.mcache().depth(),
        mtu,
        link.mcache().seq0(),
        link.mcache().produced(),
        next,
        link.dcache().dataBytes(),
        chunks == null ? 0 : chunks.chunk0(),
        chunks == null ? 0 : chunks.chunk1(),
        chunks == null ? 0 : chunks.wmark(),
        link.dcacheOffset(),
        link.fseqOffset(),
        all);
  }

  private static Object unsigned(long number) {
    return Long.toUnsignedString(number);
  }

  private static Table<Progress> table() {
    return new Table<Progress>("No fseqs: the link has no reliable consumers.")
        .column("fseq", Progress::fseq)
        .column("seq0", one -> unsigned(one.seq0()))
        .column("seq", one -> unsigned(one.seq()))
        .column("behind", Progress::behind);
  }

  private Map<String, Object> document() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("path", path);
    all.put("bytes", bytes);
    all.put("depth", depth);
    all.put("mtu", mtu);
    all.put("seq0", unsigned(seq0));
    all.put("seq", unsigned(told));
    all.put("next_seq", unsigned(nextSeq));
    all.put("data_bytes", dataBytes);
    all.put("chunk0", chunk0);
    all.put("chunk1", chunk1);
    all.put("wmark", wmark);
    all.put("dcache_offset", dcacheOffset);
    all.put("fseq_offset", fseqOffset);
    all.put("fseqs", fseqs.stream().map(table()::object).toList());
    return all;
  }

  void print(Output output) {
    if (output.json()) {
      output.document(document());
      return;
    }
    output.line(
        path
            + ": "
            + Sizes.bytes(bytes)
            + ", depth "
            + depth
            + ", payloads of up to "
            + mtu
            + " bytes in chunks "
            + chunk0
            + ".."
            + (chunk1 - 1)
            + ", the last one at "
            + wmark);
    output.line(
        "numbers from "
            + unsigned(seq0)
            + ", next "
            + unsigned(nextSeq)
            + ", told "
            + unsigned(told)
            + "; dcache at "
            + dcacheOffset
            + ", fseqs at "
            + fseqOffset);
    output.table(table(), fseqs);
  }
}
