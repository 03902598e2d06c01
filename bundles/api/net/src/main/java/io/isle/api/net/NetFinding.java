package io.isle.api.net;

/**
 * Something that explains why frames do not arrive or leave.
 *
 * @param ok whether this is as it should be
 * @param subject such as {@code link}, {@code queue}, {@code fill ring}
 * @param text in words, with the remedy if there is one
 */
public record NetFinding(boolean ok, String subject, String text) {}
