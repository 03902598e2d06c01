package io.isle.lib.model;

import io.isle.api.base.IsleException;

/** A model that was refused. The message begins with the fault and the place in the file. */
public final class ModelException extends IsleException {
  private static final long serialVersionUID = 1L;

  private final ModelFault fault;
  private final String place;

  /**
   * @param fault what was found
   * @param place field of the file, such as {@code param_size} or {@code tree[2].node[17].left}
   * @param why the value found and the limit
   */
  public ModelException(ModelFault fault, String place, String why) {
    super(fault.code(), fault + ": " + place + ": " + why, null);
    this.fault = fault;
    this.place = place;
  }

  /** What was found. */
  public ModelFault fault() {
    return fault;
  }

  /** Field of the file. */
  public String place() {
    return place;
  }
}
