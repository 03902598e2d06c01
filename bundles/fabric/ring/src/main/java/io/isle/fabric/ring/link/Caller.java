package io.isle.fabric.ring.link;

/** The owner of a data call, who may end the call while it waits. */
@FunctionalInterface
public interface Caller {
  /** 0 while the call may go on; otherwise the negated code that ends it. Any thread, short. */
  int refusal();
}
