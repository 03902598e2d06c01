package io.isle.drivers.sim;

/** What a kernel does. */
interface Body {
  /** Runs it; 0 or why it stopped, a negated code. Looks now and then whether it must stop. */
  int run(Run run, Call call);
}
