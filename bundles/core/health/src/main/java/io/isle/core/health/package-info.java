/** Power, health, load of open devices and faults on purpose, asked for through their sessions. */
package io.isle.core.health;
