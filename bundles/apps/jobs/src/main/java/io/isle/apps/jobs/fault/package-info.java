/** The schedule of faults of a job, the recoveries that it goes through, and what it counts. */
package io.isle.apps.jobs.fault;
