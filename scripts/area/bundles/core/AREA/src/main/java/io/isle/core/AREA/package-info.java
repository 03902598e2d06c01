/** The service that keeps notes, with the settings of {@code io.isle.AREA}. */
package io.isle.core.AREA;
