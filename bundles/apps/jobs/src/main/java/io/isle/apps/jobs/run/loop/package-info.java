/** The order of a loop's dispatches, their batches, and the times of checkpoints. */
package io.isle.apps.jobs.run.loop;
