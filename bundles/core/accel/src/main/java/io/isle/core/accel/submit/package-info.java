/**
 * How a tenant submits: the writer of envelopes with its checks, the path to the agent, and the
 * context that offers both. Uses {@code context} and {@code timeline}.
 */
package io.isle.core.accel.submit;
