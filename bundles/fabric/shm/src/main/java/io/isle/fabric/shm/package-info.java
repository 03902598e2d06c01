/**
 * Paths between nodes of one machine by shared memory: sockets, segments and bells only; links and
 * their protocols are the ring's.
 */
package io.isle.fabric.shm;
