package io.isle.core.accel.context;

import io.isle.api.base.MonotonicClock;
import io.isle.api.observe.AuditTrail;
import io.isle.api.tenancy.Capabilities;
import io.isle.core.accel.estimate.SubmissionTime;
import io.isle.core.accel.fence.FenceRegistry;
import io.isle.core.accel.ids.CoreIds;

/**
 * Services that all managed devices share.
 *
 * @param ids gives contexts, memory and programs their ids
 * @param fences timelines and devices of the node, as far as fences go
 * @param submissionTime what submissions are thought to take
 */
public record CoreServices(
    Capabilities capabilities,
    CoreIds ids,
    AuditTrail audit,
    FenceRegistry fences,
    SubmissionTime submissionTime,
    MonotonicClock clock) {}
