/** Running a checked job: inputs in chunks through a device, results out. */
package io.isle.apps.jobs.run;
