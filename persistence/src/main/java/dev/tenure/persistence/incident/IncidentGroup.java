package dev.tenure.persistence.incident;

import java.time.Instant;

/**
 * Incidents of one cause.
 *
 * @param type the name of the workflow type, in any version
 * @param evidence of the newest of them, as an example
 */
public record IncidentGroup(
    String fingerprint,
    String kind,
    String type,
    long count,
    Instant oldest,
    Instant newest,
    String evidence) {}
