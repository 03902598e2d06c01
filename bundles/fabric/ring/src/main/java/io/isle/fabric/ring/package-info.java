/** Nodes of rings: their links, their endpoints and their administration. */
package io.isle.fabric.ring;
