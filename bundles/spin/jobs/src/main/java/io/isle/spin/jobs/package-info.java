/** Steps of jobs that run handlers of packets. */
package io.isle.spin.jobs;
