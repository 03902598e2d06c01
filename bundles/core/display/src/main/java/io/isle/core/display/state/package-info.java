/**
 * What is kept of screens over their devices' openings, and over a restart of the bundle: values,
 * and the file that they are written to.
 */
package io.isle.core.display.state;
