package io.isle.api.tenancy;

import io.isle.api.base.IsleException;

/** A capability is missing, revoked or too narrow; or a group is refused. */
public final class TenancyException extends IsleException {
  private static final long serialVersionUID = 1L;

  private final String group;
  private final String key;

  public TenancyException(int code, String message) {
    this(code, message, (Throwable) null);
  }

  public TenancyException(int code, String message, Throwable cause) {
    super(code, message, cause);
    this.group = "";
    this.key = "";
  }

  /**
   * A key of a group is refused.
   *
   * @param group whose settings are to blame
   * @param key of these settings; the message begins with it
   * @param reason what is wrong, and the limit
   */
  public TenancyException(int code, String group, String key, String reason) {
    super(code, key + ": " + reason, null);
    this.group = group;
    this.key = key;
  }

  /** The group to blame; empty when it is not about a group. */
  public String group() {
    return group;
  }

  /** The key to blame; empty when it is not about a key. */
  public String key() {
    return key;
  }
}
