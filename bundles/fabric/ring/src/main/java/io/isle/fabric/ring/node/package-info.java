/** Nodes: the work of workers, the endpoints of masters, and their resizes. */
package io.isle.fabric.ring.node;
