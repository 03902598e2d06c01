/** Nets in job files: nets that exist only for a job, and files that an app sends back. */
package io.isle.net.jobs;
