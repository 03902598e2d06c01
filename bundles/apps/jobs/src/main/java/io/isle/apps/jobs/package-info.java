/** The jobs service. */
package io.isle.apps.jobs;
