/** What the platform and the process of a node say to each other, and how: records as bytes. */
package io.isle.fabric.ring.process.wire;
