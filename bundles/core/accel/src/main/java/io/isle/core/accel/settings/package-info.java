/** What the administrator sets for accelerators: checked, with defaults, immutable. */
package io.isle.core.accel.settings;
