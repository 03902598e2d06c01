/** Counts what a run could leave behind. */
package io.isle.apps.chaos.look;
