/**
 * What submissions are thought to take, from what is known when they are submitted: the decision
 * point {@code submission_time}, the features, and what answers turned out to be worth.
 */
package io.isle.core.accel.estimate;
