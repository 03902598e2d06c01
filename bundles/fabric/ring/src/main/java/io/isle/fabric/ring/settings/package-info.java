/** The settings of nodes. */
package io.isle.fabric.ring.settings;
