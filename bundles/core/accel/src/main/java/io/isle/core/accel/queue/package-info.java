/**
 * A context's queue, as its tenant's threads and the agent of its device share it: states, points,
 * how they ended; and the threads that wait for them or tell of them.
 */
package io.isle.core.accel.queue;
