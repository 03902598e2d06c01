/** Contexts, memory, timelines and the dispatch of submissions to open devices. */
package io.isle.core.accel;
