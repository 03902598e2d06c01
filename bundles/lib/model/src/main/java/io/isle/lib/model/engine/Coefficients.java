package io.isle.lib.model.engine;

/**
 * Time of a unit of work on one machine with parameters that are in no cache, in picoseconds.
 *
 * @param call of an answer as such
 * @param load of a load from memory that the next one waits for
 * @param page of the first load from a page, besides the load
 * @param product of a multiplication of a linear model
 * @param mac of a multiplication of a net
 * @param layer of a layer of a net, besides its multiplications
 */
public record Coefficients(long call, long load, long page, long product, long mac, long layer) {
  private static final long PICOSECONDS = 1000;

  /** Those of this machine. The first call measures them, for about half a second. */
  public static Coefficients ofThisMachine() {
    return Measured.HERE;
  }

  /** Those of this machine now, measured for about half a second. */
  public static Coefficients measured() {
    return CoefficientProbe.measure();
  }

  /** Bound of the time of one answer, in nanoseconds. */
  public long boundNs(Cost cost) {
    long time =
        call
            + load * cost.loads()
            + page * cost.pages()
            + product * cost.products()
            + mac * cost.macs()
            + layer * cost.layers();
    return (time + PICOSECONDS - 1) / PICOSECONDS;
  }

  private static final class Measured {
    private static final Coefficients HERE = measured();
  }
}
