/**
 * What all jobs share: the services of the platform, what jobs take of it, and the words for
 * failures.
 */
package io.isle.apps.jobs.platform;
