/** Open devices as they are lent: their control lanes, their sessions, and who hears of them. */
package io.isle.core.drivers.session;
