/** The job file: read, checked and turned into records, every mistake with line and field. */
package io.isle.apps.jobs.spec;
