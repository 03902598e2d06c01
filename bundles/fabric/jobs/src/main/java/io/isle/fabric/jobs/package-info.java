/** Rings in job files: rings that exist only for a job, and files that go round a ring. */
package io.isle.fabric.jobs;
