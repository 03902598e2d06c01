package io.isle.apps.chaos.platform;

/** The services of the core as they come and go. Thread-safe. */
public interface Core {
  /**
   * The service.
   *
   * @throws AwayException while it is not there
   */
  <S> S get(Class<S> type);

  /** Whether all of them are there. */
  boolean complete();

  /**
   * Grows whenever one of them comes or goes. A call that met a service on its way out began before
   * it grew.
   */
  long changes();

  /** A bundle of the core is stopped; it will be back. */
  final class AwayException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public AwayException(String message) {
      super(message, null, false, false);
    }
  }
}
