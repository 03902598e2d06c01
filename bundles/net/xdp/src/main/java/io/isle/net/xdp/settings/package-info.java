/** Settings of nets and apps: keys, limits, and what they mean together. */
package io.isle.net.xdp.settings;
