package io.isle.core.accel;

/** Settings of {@code io.isle.accel}; a value out of range counts as its nearest bound. */
public @interface AccelSettings {
  /** Most submissions on one device at a time, 1 to 1024. */
  int max__in__flight() default 64;

  /** Longest time of one control call of a driver in milliseconds, 100 to 600000. */
  long control__timeout__ms() default 5000;

  /** Agents that may spin at a time; -1 for half of the processors. */
  int spinners() default -1;
}
