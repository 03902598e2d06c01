package io.isle.api.spin;

/** Where the handlers of an execution context come from. */
public sealed interface HandlerSource permits HandlerImage, HandlerSource.Installed {
  /** Name for output. */
  String name();

  /**
   * Handlers of a bundle.
   *
   * @param name in {@link HandlerImages}
   */
  record Installed(String name) implements HandlerSource {}
}
