/**
 * The device tree and the settings of devices: reads {@code io.isle.device-NAME.cfg}, checks it
 * against the driver's schema, and tells the owner of drivers what to open.
 */
package io.isle.core.devices;
