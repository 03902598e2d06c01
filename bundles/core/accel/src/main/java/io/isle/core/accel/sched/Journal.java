package io.isle.core.accel.sched;

/** What happened in a {@link SchedulingCore}, for the simulator and the journal of a device. */
public interface Journal {
  int OPEN = 0;
  int CLOSE = 1;
  int READY = 2;
  int IDLE = 3;
  int START = 4;
  int END = 5;
  int ABANDON = 6;

  /** A server has no budget until its deadline. */
  int EXHAUST = 7;

  /** A server has budget again, or a fresh deadline. */
  int REPLENISH = 8;

  /** A group has reached its ceiling. */
  int THROTTLE = 9;

  /** A group may go on. */
  int RELEASE = 10;

  /** Settings of a group or a context have changed. */
  int CHANGE = 11;

  /** The policy was set; it is of no context. */
  int POLICY = 12;

  /**
   * Called inside the machine: must not call it, and on a live device must not block or allocate.
   *
   * @param kind one of the above
   * @param time in the caller's clock
   * @param context a context; for a group {@code -1 - group}
   * @param value START: the charge in advance; END: the busy time; ABANDON: the charge taken back;
   *     CHANGE: the weight of a group; POLICY: its number; else 0
   * @param budget of the server, or what is left to the group's ceiling; 0 without
   * @param deadline of the server, or the end of the ceiling's period; 0 without
   */
  void event(int kind, long time, int context, long value, long budget, long deadline);
}
