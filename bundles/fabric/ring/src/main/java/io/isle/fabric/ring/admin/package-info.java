/** The administrator's work: files of nodes, order of rings, preflights, counters. */
package io.isle.fabric.ring.admin;
