package io.isle.api.jobs;

/**
 * A job in the history.
 *
 * @param id unique within the instance
 * @param job name out of the job file
 * @param file path of the job file
 * @param startedMs when it began, milliseconds since 1970
 * @param result how it ended, or how far it is
 */
public record JobInfo(
    String id, String job, String file, String user, long startedMs, JobResult result) {}
