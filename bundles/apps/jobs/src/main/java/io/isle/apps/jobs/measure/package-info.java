/**
 * Measuring: barriers at which steps begin together, what each group gets of its device from then
 * on, latencies of steps with a period, and the picture of it. Knows nothing of how steps run.
 */
package io.isle.apps.jobs.measure;
