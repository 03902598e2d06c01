/** Nodes in processes of their own: start, supervision, and their face in the platform. */
package io.isle.fabric.ring.process;
