/**
 * The dispatch of one device as a state machine without thread, clock or I/O: what is pending, in
 * flight, held and over its time, in fixed storage. Who runs next is asked of {@code sched}.
 */
package io.isle.core.accel.machine;
