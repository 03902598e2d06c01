package io.isle.core.accel;

/** Settings of {@code io.isle.accel}; a value out of range counts as its nearest bound. */
public @interface AccelSettings {
  /** Most submissions on one device at a time, 1 to 1024. */
  int max__in__flight() default 64;

  /** Longest time of one control call of a driver in milliseconds, 100 to 600000. */
  long control__timeout__ms() default 5000;

  /**
   * Longest time until work that was told to stop has stopped, in milliseconds, 1 to 600000; then
   * its context, its device and at last the driver's host go.
   */
  long hang__grace__ms() default 250;

  /** How long contexts wait for a driver that is being replaced, in milliseconds, 0 to 600000. */
  long detach__grace__ms() default 10_000;

  /** Agents that may spin at a time; -1 for half of the processors. */
  int spinners() default -1;
}
