/** The way to a native driver, the same in both tiers, and the control messages that go over it. */
package io.isle.core.drivers.nativecode.control;
