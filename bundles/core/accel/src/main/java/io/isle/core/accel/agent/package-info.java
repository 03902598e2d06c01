/**
 * The agent of one device: its duty cycle, and what is done in it or between two cycles. What other
 * threads have for it comes through rings and queues of fixed capacity.
 */
package io.isle.core.accel.agent;
