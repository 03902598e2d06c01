/** What exists only for one job: made before its steps, put back afterwards, also after a crash. */
package io.isle.apps.jobs.setup;
