package io.isle.api.tenancy;

/**
 * A key that a {@link GroupController} understands. Values are text: a list of devices and numbers
 * has no simpler type, and what is good depends on the other groups.
 *
 * @param key {@code [a-z][a-z0-9_.]*}, at most 63 characters
 * @param values what may stand there, for people: {@code 1 to 10000}
 * @param defaultValue what holds where neither the group nor an ancestor has the key
 * @param help one line
 */
public record GroupKey(String key, String values, String defaultValue, String help) {}
