/* Nothing: the registers of that processor are not here. */
