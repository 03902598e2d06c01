package io.isle.lib.model.engine;

/**
 * Most work that one answer of a model needs.
 *
 * @param loads loads from memory that wait for each other: nodes of trees, lines of rows and cells
 * @param pages pages of memory that these loads touch
 * @param products multiplications of a linear model
 * @param macs multiplications of a net
 * @param layers weight layers of a net
 */
public record Cost(int loads, int pages, int products, int macs, int layers) {
  private static final int PAGE_BYTES = 4096;
  private static final int LINE = 16;

  /** Work that is loads: {@code loads} of them from arrays of so many bytes together. */
  public static Cost ofLoads(long loads, long bytes) {
    long pages = Math.min(loads, bytes / PAGE_BYTES + 2);
    return new Cost((int) loads, (int) pages, 0, 0, 0);
  }

  /** Lines of cache that so many values touch at most. */
  public static int lines(int values) {
    return (values + LINE - 2) / LINE + 1;
  }
}
