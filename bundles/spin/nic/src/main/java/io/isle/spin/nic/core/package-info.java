/**
 * The state machine of a programmable network interface: slots of packets, queues of messages, the
 * choice of the next task, shares of groups. Without threads, clocks and devices; one thread at a
 * time. Calls of the data path allocate nothing.
 */
package io.isle.spin.nic.core;
