/**
 * The screens of all devices, which outlive their drivers: how they are set, what they show, who
 * waits for them. A participant of recoveries; beside a device it has sessions of it, beside memory
 * pins.
 */
package io.isle.core.display;
