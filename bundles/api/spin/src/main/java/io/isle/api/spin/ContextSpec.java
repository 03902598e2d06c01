package io.isle.api.spin;

import io.isle.api.base.Errno;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What an execution context is attached with. Immutable; made from {@link #of}.
 *
 * <p>Sizes are those of {@code io.isle.spin-NAME.cfg}.
 */
public final class ContextSpec {
  /** Most host pages. */
  public static final int MAX_HOST_PAGES = 1024;

  /** Most bytes of handler memory: 64 MiB. */
  public static final int MAX_HANDLER_MEMORY = 64 << 20;

  /** Most bytes of a scratchpad: 1 MiB. */
  public static final int MAX_SCRATCHPAD = 1 << 20;

  private static final int MAX_NAME = 64;

  private final String name;
  private final HandlerSource handlers;
  private OptionalInt slot = OptionalInt.empty();
  private Optional<Ruleset> rules = Optional.empty();
  private int hostPages = 16;
  private int handlerMemory = 256 << 10;
  private int scratchpad = 4096;
  private byte[] init = {};
  private HostReply hostReply = HostReply.NONE;

  private ContextSpec(String name, HandlerSource handlers) {
    this.name = name;
    this.handlers = handlers;
  }

  private ContextSpec(ContextSpec from) {
    this(from.name, from.handlers);
    slot = from.slot;
    rules = from.rules;
    hostPages = from.hostPages;
    handlerMemory = from.handlerMemory;
    scratchpad = from.scratchpad;
    init = from.init;
    hostReply = from.hostReply;
  }

  /**
   * A context of these handlers: any free slot, the handlers' rules or else {@code match}, 16 host
   * pages, 256 KiB of handler memory, scratchpads of 4096 bytes.
   *
   * @param name 1 to 64 characters of {@code [A-Za-z0-9._-]}; no other context of the node has it
   * @throws SpinException EINVAL for another name
   */
  public static ContextSpec of(String name, HandlerSource handlers) {
    if (!name.matches("[A-Za-z0-9._-]{1," + MAX_NAME + "}")) {
      throw new SpinException(
          Errno.EINVAL, "name: 1 to " + MAX_NAME + " characters of [A-Za-z0-9._-] are possible");
    }
    return new ContextSpec(name, handlers);
  }

  /**
   * A copy with a slot: packets belong to the lowest slot whose rules they match.
   *
   * @param value 0 to 3
   */
  public ContextSpec withSlot(int value) {
    ContextSpec copy = new ContextSpec(this);
    copy.slot = OptionalInt.of(checked("slot", value, 0, Rulesets.SLOTS - 1));
    return copy;
  }

  /** A copy with rules. */
  public ContextSpec withRules(Ruleset value) {
    ContextSpec copy = new ContextSpec(this);
    copy.rules = Optional.of(value);
    return copy;
  }

  /**
   * A copy with a number of pages of 4096 bytes that handlers and host share; one an HPU is for its
   * requests.
   *
   * @param value 0 to {@link #MAX_HOST_PAGES}
   */
  public ContextSpec withHostPages(int value) {
    ContextSpec copy = new ContextSpec(this);
    copy.hostPages = checked("host_pages", value, 0, MAX_HOST_PAGES);
    return copy;
  }

  /**
   * A copy with a size of handler memory.
   *
   * @param bytes 0 to {@link #MAX_HANDLER_MEMORY}
   */
  public ContextSpec withHandlerMemory(int bytes) {
    ContextSpec copy = new ContextSpec(this);
    copy.handlerMemory = checked("handler_memory", bytes, 0, MAX_HANDLER_MEMORY);
    return copy;
  }

  /**
   * A copy with a size of each scratchpad; a queue has one in each cluster.
   *
   * @param bytes 0 to {@link #MAX_SCRATCHPAD}
   */
  public ContextSpec withScratchpad(int bytes) {
    ContextSpec copy = new ContextSpec(this);
    copy.scratchpad = checked("scratchpad", bytes, 0, MAX_SCRATCHPAD);
    return copy;
  }

  /**
   * A copy with the first bytes of handler memory; zeros follow.
   *
   * @param bytes copied; longer ones than handler memory are refused by the attachment
   */
  public ContextSpec withInit(byte[] bytes) {
    ContextSpec copy = new ContextSpec(this);
    copy.init = bytes.clone();
    return copy;
  }

  /** A copy with another answer to requests without a listener. */
  public ContextSpec withHostReply(HostReply value) {
    ContextSpec copy = new ContextSpec(this);
    copy.hostReply = value;
    return copy;
  }

  /** Name of the context. */
  public String name() {
    return name;
  }

  /** Its handlers. */
  public HandlerSource handlers() {
    return handlers;
  }

  /** Its slot; empty for the first free one. */
  public OptionalInt slot() {
    return slot;
  }

  /** Its rules; empty for those of the handlers. */
  public Optional<Ruleset> rules() {
    return rules;
  }

  /** Number of its host pages. */
  public int hostPages() {
    return hostPages;
  }

  /** Bytes of its handler memory. */
  public int handlerMemory() {
    return handlerMemory;
  }

  /** Bytes of each of its scratchpads. */
  public int scratchpad() {
    return scratchpad;
  }

  /** A copy of the first bytes of its handler memory. */
  public byte[] init() {
    return init.clone();
  }

  /** What answers requests without a listener. */
  public HostReply hostReply() {
    return hostReply;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ContextSpec same
        && name.equals(same.name)
        && handlers.equals(same.handlers)
        && slot.equals(same.slot)
        && rules.equals(same.rules)
        && hostPages == same.hostPages
        && handlerMemory == same.handlerMemory
        && scratchpad == same.scratchpad
        && Arrays.equals(init, same.init)
        && hostReply == same.hostReply;
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  private static int checked(String field, int value, int least, int most) {
    if (value < least || value > most) {
      throw new SpinException(
          Errno.EINVAL, field + " " + value + " is not in " + least + ".." + most);
    }
    return value;
  }
}
