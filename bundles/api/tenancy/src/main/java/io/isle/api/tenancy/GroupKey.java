package io.isle.api.tenancy;

/**
 * A key of a {@link GroupController}. Values are text, because a list of devices and numbers has no
 * simpler type, and because the validity of a value depends on other groups. Immutable.
 *
 * @param key {@code [a-z][a-z0-9_.]*}, at most 63 characters
 * @param values description of the allowed values: {@code 1 to 10000}
 * @param defaultValue value if neither the group nor an ancestor has the key
 * @param help one line
 */
public record GroupKey(String key, String values, String defaultValue, String help) {}
