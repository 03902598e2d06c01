package io.isle.api.spin;

/** Takes requests of handlers to the host. */
@FunctionalInterface
public interface HostRequestHandler {
  /**
   * A handler waits for {@link ExecutionContext#respond}.
   *
   * @param hpu whose host page has the payload at {@link ExecutionContext#PAYLOAD}
   * @param length of the payload as the handler says, 0 to 4032
   */
  void request(int hpu, int length);
}
