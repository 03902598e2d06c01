package io.isle.api.spin;

import io.isle.api.base.Errno;
import java.util.Optional;

/** Handlers that {@code spin-cc} has built, with the rules they are made for. Immutable. */
public final class HandlerImage implements HandlerSource {
  /** Longest name in characters. */
  public static final int MAX_NAME = 63;

  /** Longest image: 1 MiB. */
  public static final int MAX_BYTES = 1 << 20;

  private final String name;
  private final byte[] bytes;
  private final Optional<Ruleset> rules;

  /**
   * @param name for output, 1 to {@link #MAX_NAME} printable characters of ASCII
   * @param bytes of the {@code .spin} file, 1 byte to {@link #MAX_BYTES}; copied
   * @param rules empty if they have none of their own
   * @throws SpinException EINVAL for another name; EMSGSIZE for another length
   */
  public HandlerImage(String name, byte[] bytes, Optional<Ruleset> rules) {
    if (!name.matches("[ -~]{1," + MAX_NAME + "}")) {
      throw new SpinException(
          Errno.EINVAL,
          "the name of the handlers: 1 to " + MAX_NAME + " printable characters are possible");
    }
    if (bytes.length == 0 || bytes.length > MAX_BYTES) {
      throw new SpinException(
          Errno.EMSGSIZE,
          "the image of "
              + name
              + (bytes.length == 0 ? " is empty" : " has more than " + MAX_BYTES + " bytes"));
    }
    this.name = name;
    this.bytes = bytes.clone();
    this.rules = rules;
  }

  private HandlerImage(HandlerImage of, Ruleset rules) {
    name = of.name;
    bytes = of.bytes;
    this.rules = Optional.of(rules);
  }

  /** The same handlers with other rules. */
  public HandlerImage withRules(Ruleset other) {
    return new HandlerImage(this, other);
  }

  /** Whether these are the handlers of another object, maybe with other rules. */
  public boolean isOf(HandlerImage other) {
    return bytes == other.bytes;
  }

  @Override
  public String name() {
    return name;
  }

  /** A copy of the image. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** Bytes of the image. */
  public int size() {
    return bytes.length;
  }

  /** The rules they are made for. */
  public Optional<Ruleset> rules() {
    return rules;
  }

  @Override
  public String toString() {
    return "HandlerImage[" + name + ", " + bytes.length + " bytes]";
  }
}
