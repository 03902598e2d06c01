/**
 * Fences (accelerator framework, 42.2.3): what submissions can wait for, who may, and what devices
 * do about it themselves. Knows nothing of queues, agents or drivers' calls.
 */
package io.isle.core.accel.fence;
