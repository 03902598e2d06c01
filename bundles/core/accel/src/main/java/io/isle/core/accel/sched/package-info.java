/**
 * Who runs next on one device: fairness, guarantees and ceilings as a state machine without thread,
 * clock or I/O. All storage is made when the machine is; the agent of the device and the simulator
 * drive the same code. Times and charges are nanoseconds.
 */
package io.isle.core.accel.sched;
