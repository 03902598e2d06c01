/** The slots of packet memories: free ones, lists of used ones, parts of contexts. */
package io.isle.spin.nic.slot;
