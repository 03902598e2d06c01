/**
 * Jobs: what a tile does with the frames of a capture file, without a socket and without rights.
 */
package io.isle.net.jobs.trial;
