/** Builds handlers from C with {@code spin-cc}, in processes with bounds. */
package io.isle.spin.nic.build;
