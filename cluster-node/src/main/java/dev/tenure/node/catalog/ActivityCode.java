package dev.tenure.node.catalog;

import dev.tenure.workflow.ActivityDefinition;

/** An activity together with the code behind it. */
public record ActivityCode<I, O>(
    ActivityDefinition<I, O> definition, ActivityDefinition.Body<I, O> body) {}
