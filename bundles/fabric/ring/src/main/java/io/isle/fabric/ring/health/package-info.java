/** What a node knows of all nodes of its ring: failures by notices, the order by roll calls. */
package io.isle.fabric.ring.health;
