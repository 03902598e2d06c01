package io.isle.faces.shell.net.link;

import io.isle.faces.shell.Output;
import io.isle.faces.shell.Sizes;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Counts of a producer or a consumer. Sequence numbers are unsigned.
 *
 * @param firstSeq of the first fragment
 * @param nextSeq behind the last one
 * @param count fragments that were published or taken
 * @param lost fragments that were overwritten before they were read
 * @param overrunsPolling how often the next fragment was overwritten before it was found
 * @param overrunsReading how often a fragment was overwritten while it was read
 * @param corrupt taken fragments that are not as they were published
 * @param backpressured how often a producer had to wait for a consumer
 */
record LinkResult(
    End end,
    long firstSeq,
    long nextSeq,
    long count,
    long lost,
    long overrunsPolling,
    long overrunsReading,
    long corrupt,
    long backpressured,
    long elapsedNs) {
  /** Why a loop ended. */
  enum End {
    DONE,
    TIMEOUT,
    INTERRUPTED,
    /** A page of the file is not there: the file is shorter, or the disk full. */
    MEMORY_GONE
  }

  /** Prints the counts. */
  void print(Output output, String verb) {
    if (output.json()) {
      output.document(document());
      return;
    }
    output.line(line(verb));
    if (lost != 0 || corrupt != 0) {
      output.line(
          Long.toUnsignedString(lost)
              + " lost by "
              + overrunsPolling
              + " overruns while polling and "
              + overrunsReading
              + " while reading, "
              + corrupt
              + " corrupt");
    }
    if (backpressured != 0) {
      output.line("waited " + backpressured + " times for a consumer");
    }
  }

  /** The counts in a line, also while the loop runs. */
  String line(String verb) {
    return String.format(
        Locale.ROOT,
        "%d fragments %s, next is %s, %s, %.0f/s",
        count,
        verb,
        Long.toUnsignedString(nextSeq),
        Sizes.nanos(elapsedNs),
        count * 1e9 / Math.max(1, elapsedNs));
  }

  private Map<String, Object> document() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("first_seq", Long.toUnsignedString(firstSeq));
    all.put("next_seq", Long.toUnsignedString(nextSeq));
    all.put("count", count);
    all.put("lost", lost);
    all.put("overruns_polling", overrunsPolling);
    all.put("overruns_reading", overrunsReading);
    all.put("corrupt", corrupt);
    all.put("backpressured", backpressured);
    all.put("elapsed_ns", elapsedNs);
    return all;
  }
}
