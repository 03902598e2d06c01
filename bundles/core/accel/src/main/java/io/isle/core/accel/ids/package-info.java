/** What the node has a fixed number of: core ids, and room for what it keeps of programs. */
package io.isle.core.accel.ids;
